import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '../architecture/sources/sources.js';

/** Without the settings of this test run. They would choose the files of the runs in the copy. */
const ENVIRONMENT = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(TEST_|JEST_|LANDLORD_TEST_)/.test(name)),
);

/** A copy of the working tree. Generated files never touch the tree itself. */
export class Copy {
  readonly directory = mkdtempSync(join(tmpdir(), 'landlord-generators-'));
  readonly environment = ENVIRONMENT;

  constructor() {
    const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    for (const file of listed.split('\0').filter(Boolean)) {
      mkdirSync(dirname(join(this.directory, file)), { recursive: true });
      cpSync(join(ROOT, file), join(this.directory, file));
    }
    this.link();
    this.must('git', 'init', '--quiet');
    this.must('git', 'add', '--all');
  }

  /** Brings the packages of the working tree, if the copy has none. */
  link(): void {
    const packages = join(this.directory, 'node_modules');
    if (!existsSync(packages)) symlinkSync(join(ROOT, 'node_modules'), packages);
  }

  /** Runs a command and returns its output. Fails with the output if the command fails. */
  must(command: string, ...args: string[]): string {
    const { status, stdout, stderr } = this.run(command, ...args);
    expect(status === 0 ? 'done' : `${command} ${args.join(' ')}\n${stdout}\n${stderr}`).toBe('done');
    return stdout;
  }

  /** Runs a command that may fail. */
  run(command: string, ...args: string[]): { status: number | null; stdout: string; stderr: string } {
    return spawnSync(command, args, { cwd: this.directory, env: ENVIRONMENT, encoding: 'utf8' });
  }

  /** Runs these tests. Returns the report, which Jest writes beside the output. Fails with it if a test fails. */
  test(...args: string[]): string {
    const { status, stderr } = this.run('npm', 'run', '--silent', 'test:one', '--', ...args);
    expect(status === 0 ? 'done' : stderr).toBe('done');
    return stderr;
  }

  npx(...args: string[]): string {
    return this.must('npx', '--no-install', ...args);
  }

  /** Runs a generator of the Nest CLI. Returns all that it prints: the CLI reports success also for a refusal. */
  generate(...args: string[]): string {
    const { stdout, stderr } = this.run('npx', '--no-install', 'nest', 'generate', ...args);
    return `${stdout}${stderr}`;
  }

  /** The files that differ from the copied tree, and new ones. */
  changed(): string[] {
    const changed = this.must('git', 'diff', '--name-only');
    const created = this.must('git', 'ls-files', '-o', '--exclude-standard');
    return `${changed}${created}`.split('\n').filter((file) => /\.(ts|json|txt|sql)$/.test(file));
  }

  /** Takes back all changes of the copied tree. */
  reset(): void {
    this.must('git', 'checkout', '--quiet', '--', '.');
    this.must('git', 'clean', '-fdq', '--exclude', 'node_modules');
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}
