import { spawnSync } from 'node:child_process';
import { Copy } from './copy.fixture.js';

/** The whole check compiles twice, and runs three test commands. */
const PATIENCE_MS = 900_000;
/** The rules that a new table or route could break. */
const RULES = [
  ...['entities', 'statement-rows', 'ownership', 'tenancy', 'tree', 'dependency-rules', 'contract'],
  ...['openapi', 'openapi-descriptions', 'route-inventory', 'nullable-members', 'ids', 'sealed-columns', 'readme'],
];
/** The specs with a list of all routes, tables or statements, and those that compare a client with the API descriptions. */
const LISTS_OF_ALL = [
  ...['libs/domain/src/catalogues.spec.ts', 'libs/persistence/src/query-plans.spec.ts'],
  ...['apps/main-api/src/docs/docs.spec.ts', 'apps/supervisor/src/docs/docs.spec.ts'],
  ...['apps/supervisor/src/platform/cross-origin.spec.ts', 'packages/sdk/src/methods.spec.ts'],
  ...[
    'packages/cli/src/commands.spec.ts',
    'packages/console/src/routes',
    'test/e2e/clients/terraform-coverage.spec.ts',
  ],
];
/** The tests that call every route as every kind of caller, and those that change every record. */
const MATRIX = [
  ...['test/e2e/isolation', 'test/e2e/audit/audit-walk.matrix.ts', 'test/e2e/input/addresses.matrix.ts'],
  ...['test/e2e/input/names-of-members.matrix.ts', 'test/e2e/input/nulls-and-texts.matrix.ts'],
];
/** The calls of the generated routes, and the tests that each route and each record has a row. */
const GENERATED_ROUTES = 'gadgets|gauges|has a row|every member that contains an id';
const VERBS = ['list', 'create', 'get', 'update', 'delete'];
const MODULES = ['apps/main-api/src/gadgets', 'apps/supervisor/src/usage-gauges', 'apps/main-api/src/parts'];

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
      copy.npx('nest', 'generate', 'resource', 'usage-gauges', '-p', 'supervisor');
      copy.npx('nest', 'generate', 'module', 'parts', '-p', 'main-api');
      copy.npx('nest', 'generate', 'service', 'parts', '-p', 'main-api');
      copy.npx('nest', 'generate', 'module', 'parts', '-p', 'supervisor');
      copy.npx('nest', 'generate', 'service', 'notes', '-p', 'supervisor');
      const sources = copy.changed().filter((file) => file.endsWith('.ts'));
      copy.must('node', 'scripts/build.mjs');
      copy.must('npm', 'run', '--silent', 'golden');

      copy.npx('tsc', '-p', 'tsconfig.json', '--noEmit');
      copy.npx('tsc', '-p', 'packages/sdk/tsconfig.json', '--noEmit');
      copy.npx('tsc', '-p', 'packages/console/tsconfig.json');
      copy.npx('prettier', '--check', 'docs/contract', ...sources);
      copy.npx('eslint', '--max-warnings', '0', ...sources);
      copy.must('npm', 'run', '--silent', 'deps');
      copy.must('npm', 'run', '--silent', 'words');
      copy.test(...RULES.map((name) => `test/architecture/${name}.spec.ts`));
      copy.test(...MODULES);
      copy.test(...LISTS_OF_ALL);
      const calls = copy.test('--verbose', '-t', GENERATED_ROUTES, ...MATRIX);

      const ids = copy.must('git', 'diff', 'contract/operation-ids.txt');
      for (const name of ['gadgets', 'usageGauges'])
        expect(VERBS.filter((verb) => !ids.includes(`+${name}.${verb}:`))).toEqual([]);
      for (const path of ['/tenants/:tenant_id/gadgets/:gadget_id', '/deployments/:deployment_id/usage_gauges'])
        expect(calls).toContain(path);
      expect(copy.must('git', 'diff', 'contract/schema.sql')).toMatch(/\+create table usage_gauges/);
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
