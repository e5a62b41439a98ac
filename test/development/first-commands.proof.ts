import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { eventually, freePorts, nextPortRange } from '@libs/testing';
import { Copy } from './copy.fixture.js';

const API = 'packages/sdk/src/generated/api.ts';
const INSTALL = ['ci', '--prefer-offline', '--no-audit', '--no-fund'];
/** An installation and a build, or the types of the whole repository. */
const PATIENCE_MS = 600_000;

/** What git has, in a folder without the packages of the working tree. */
describe('The first command in a clean clone', () => {
  const image = mkdtempSync(join(tmpdir(), 'landlord-image-'));
  let copy: Copy;
  beforeAll(() => {
    copy = new Copy();
    rmSync(join(copy.directory, 'node_modules'));
    copy.must('npm', ...INSTALL, '--ignore-scripts');
  }, PATIENCE_MS);
  afterAll(() => {
    copy.remove();
    rmSync(image, { recursive: true, force: true });
  });

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

  it(
    'may be the build of the image, which gets the files that its ignore file lets in',
    () => {
      afterInstallation();
      const context = join(image, 'context');
      const app = join(image, 'app');
      const sent = copy.must('git', 'ls-files').split('\n').filter(Boolean).filter(letIn());
      for (const file of sent) bring(join(copy.directory, file), join(context, file));

      for (const [instruction, words] of buildStage())
        if (instruction === 'RUN') copy.must('sh', '-c', `cd ${app} && ${words}`);
        else copyInto(app, context, words.split(' '));

      for (const file of ['apps/supervisor/src/main.js', 'libs/launcher/src/main.js', 'console/index.html'])
        expect([file, existsSync(join(app, 'dist', file))]).toEqual([file, true]);
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

  /** Whether the ignore file lets a file in: the last line that fits decides. */
  function letIn(): (file: string) => boolean {
    const lines = readFileSync(join(copy.directory, 'docker/Dockerfile.dockerignore'), 'utf8').split('\n');
    const rules = lines.filter((line) => line !== '' && !line.startsWith('#'));
    const fits = (file: string, glob: string): boolean =>
      glob === '*' || `${file}/`.startsWith(`${glob}/`) || (glob.startsWith('**/*') && file.endsWith(glob.slice(4)));
    return (file) => rules.findLast((rule) => fits(file, rule.replace(/^!/, '')))?.startsWith('!') ?? true;
  }

  /** The instructions of the Dockerfile that build. */
  function buildStage(): [string, string][] {
    const [, stage = ''] = readFileSync(join(copy.directory, 'docker/Dockerfile'), 'utf8').split(/^FROM .*$/m);
    return [...stage.matchAll(/^(RUN|COPY) (.+)$/gm)].map(([, name = '', words = '']) => [name, words]);
  }
});

function bring(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true });
}

/** `COPY a b ./` copies files into a folder, `COPY a ./a` the contents of a folder. */
function copyInto(app: string, context: string, words: string[]): void {
  const target = words.at(-1) ?? '';
  for (const source of words.slice(0, -1))
    bring(join(context, source), join(app, target.endsWith('/') ? join(target, basename(source)) : target));
}
