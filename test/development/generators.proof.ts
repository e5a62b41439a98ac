import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
/** The whole check compiles twice, and runs three test commands. */
const PATIENCE_MS = 900_000;
/** The rules that a new table or route could break. */
const RULES = [
  ...['entities', 'statement-rows', 'ownership', 'tenancy', 'tree', 'dependency-rules', 'contract'],
  ...['openapi', 'openapi-descriptions', 'route-inventory', 'nullable-members'],
];
/** Without the settings of this test run. They would choose the files of the runs in the copy. */
const ENVIRONMENT = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(TEST_|VITEST|LANDLORD_TEST_)/.test(name)),
);
const MODULES = ['apps/main-api/src/gadgets', 'apps/supervisor/src/gauges', 'apps/main-api/src/parts'];

/** A copy of the working tree. Generated files never touch the tree itself. */
class Copy {
  readonly directory = mkdtempSync(join(tmpdir(), 'landlord-generators-'));

  constructor() {
    const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    for (const file of listed.split('\0').filter(Boolean)) {
      mkdirSync(dirname(join(this.directory, file)), { recursive: true });
      cpSync(join(ROOT, file), join(this.directory, file));
    }
    symlinkSync(join(ROOT, 'node_modules'), join(this.directory, 'node_modules'));
    this.must('git', 'init', '--quiet');
    this.must('git', 'add', '--all');
  }

  /** Runs a command and returns its output. Fails with the output if the command fails. */
  must(command: string, ...args: string[]): string {
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: this.directory,
      env: ENVIRONMENT,
      encoding: 'utf8',
    });
    expect(status === 0 ? 'done' : `${command} ${args.join(' ')}\n${stdout}\n${stderr}`).toBe('done');
    return stdout;
  }

  npx(...args: string[]): string {
    return this.must('npx', '--no-install', ...args);
  }

  /** The files that differ from the copied tree, and new ones. */
  changed(): string[] {
    const changed = this.must('git', 'diff', '--name-only');
    const created = this.must('git', 'ls-files', '-o', '--exclude-standard');
    return `${changed}${created}`.split('\n').filter((file) => /\.(ts|json|txt|sql)$/.test(file));
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

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
