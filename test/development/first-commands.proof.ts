import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, freePorts, nextPortRange } from '@libs/testing';
import { Copy } from './copy.fixture.js';

const API = 'packages/sdk/src/generated/api.ts';
const INSTALL = ['ci', '--prefer-offline', '--no-audit', '--no-fund'];
/** An installation and a build, or the types of the whole repository. */
const PATIENCE_MS = 600_000;

/** What git has, in a folder without the packages of the working tree. */
describe('The first command in a clean clone', () => {
  let copy: Copy;
  beforeAll(() => {
    copy = new Copy();
    rmSync(join(copy.directory, 'node_modules'));
    copy.must('npm', ...INSTALL, '--ignore-scripts');
  }, PATIENCE_MS);
  afterAll(() => copy.remove());

  it(
    'may be npm start after npm ci --ignore-scripts',
    async () => {
      clean();
      expect(has(API)).toBe(false);

      await starts();
    },
    PATIENCE_MS,
  );

  it(
    'finds the clients after npm ci',
    () => {
      clean();
      copy.must('npm', ...INSTALL);

      expect(has(API)).toBe(true);
    },
    PATIENCE_MS,
  );

  it.each([
    ['npx --no tsc --noEmit'],
    ['npx --no eslint packages/sdk packages/cli'],
    ['npx --no nest build supervisor'],
    ['npx --no nest build launcher'],
    ['npm run test:one -- packages/cli/src/commands.spec.ts'],
    ['npm run --silent bundle:cli'],
    ['npm run --silent build --workspace packages/sdk'],
  ])(
    'may be %s',
    (command) => {
      afterInstallation();

      copy.must('sh', '-c', command);
    },
    PATIENCE_MS,
  );

  it(
    'may be npm start',
    async () => {
      afterInstallation();

      await starts();
    },
    PATIENCE_MS,
  );

  const has = (path: string): boolean => existsSync(join(copy.directory, path));

  /** Removes everything that git does not have, but for the packages. */
  function clean(): void {
    copy.must('git', 'clean', '-fdxq', '--exclude', 'node_modules');
  }

  /** As npm ci leaves the clone: this script is its last step. */
  function afterInstallation(): void {
    clean();
    copy.must('npm', 'run', '--silent', 'postinstall');
  }

  /** Starts Landlord until it is ready, and ends it like Ctrl-C. */
  async function starts(): Promise<void> {
    const [main, supervisor, gateway] = await freePorts(3);
    const settings = {
      ...{ MAIN_API_PORT: String(main), SUPERVISOR_PORT: String(supervisor), GATEWAY_PORT: String(gateway) },
      LOCAL_PORT_RANGE: nextPortRange(),
    };
    const env = { ...copy.environment, ...settings };
    const start = spawn('npm', ['start'], {
      cwd: copy.directory,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    for (const stream of [start.stdout, start.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const closed = once(start, 'close');
    try {
      await eventually(
        () => output,
        () => output.includes('Press Ctrl-C') || start.exitCode !== null,
        PATIENCE_MS,
      );
      expect(output).toContain('Press Ctrl-C');
    } finally {
      if (start.exitCode === null) process.kill(-(start.pid ?? 0), 'SIGINT');
      await closed;
    }
  }
});
