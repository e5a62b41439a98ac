import { spawnSync } from 'node:child_process';
import { Copy } from './copy.fixture.js';

/** The whole check compiles twice, and runs three test commands. */
const PATIENCE_MS = 900_000;
/** The rules that a new table or route could break. */
const RULES = [
  ...['entities', 'statement-rows', 'ownership', 'tenancy', 'tree', 'dependency-rules', 'contract'],
  ...['openapi', 'openapi-descriptions', 'route-inventory', 'nullable-members'],
];
const MODULES = ['apps/main-api/src/gadgets', 'apps/supervisor/src/gauges', 'apps/main-api/src/parts'];

describe('The generators of the Nest CLI', () => {
  let copy: Copy;
  beforeEach(() => {
    copy = new Copy();
  });
  afterEach(() => copy.remove());

  it(
    'create modules, services and resources in both apps that pass every check',
    () => {
      copy.npx('nest', 'generate', 'resource', 'gadgets', '-p', 'main-api');
      copy.npx('nest', 'generate', 'resource', 'gauges', '-p', 'supervisor');
      copy.npx('nest', 'generate', 'module', 'parts', '-p', 'main-api');
      copy.npx('nest', 'generate', 'service', 'parts', '-p', 'main-api');
      copy.npx('nest', 'generate', 'module', 'parts', '-p', 'supervisor');
      copy.npx('nest', 'generate', 'service', 'notes', '-p', 'supervisor');
      const sources = copy.changed().filter((file) => file.endsWith('.ts'));
      copy.must('node', 'scripts/build.mjs');
      copy.must('npm', 'run', '--silent', 'golden');

      copy.npx('tsc', '-p', 'tsconfig.json', '--noEmit');
      copy.npx('prettier', '--check', ...sources);
      copy.npx('eslint', '--max-warnings', '0', ...sources);
      copy.must('npm', 'run', '--silent', 'deps');
      copy.must('npm', 'run', '--silent', 'words');
      copy.npx('vitest', 'run', ...RULES.map((name) => `test/architecture/${name}.spec.ts`));
      copy.npx('vitest', 'run', ...MODULES);

      expect(sources).toContain('apps/main-api/src/gadgets/gadgets.controller.ts');
      expect(copy.must('git', 'diff', 'test/golden/operation-ids.txt')).toMatch(/\+.*gadgets\.list\b/);
      expect(copy.must('git', 'diff', 'test/golden/schema.sql')).toMatch(/\+create table gauges/);
    },
    PATIENCE_MS,
  );

  it('refuse a singular name and an existing module, and change nothing', () => {
    for (const [kind, name, reason] of [
      ['resource', 'gadget', 'is not a plural noun'],
      ['resource', 'divisions', 'divisions.module.ts exists'],
      ['module', 'divisions', 'divisions.module.ts exists'],
    ] as const) {
      const args = ['--no-install', 'nest', 'generate', kind, name, '-p', 'main-api'];
      const { stdout, stderr } = spawnSync('npx', args, { cwd: copy.directory, encoding: 'utf8' });
      expect(`${stdout}${stderr}`).toContain(reason);
    }

    expect(copy.changed()).toEqual([]);
  });
});
