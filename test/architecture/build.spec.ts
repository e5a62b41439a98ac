import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from './sources.js';

const SOURCES: Record<string, string> = {
  'apps/main-api/src/main.ts': `import { lamp } from '@libs/domain';\nimport './room.js';\nexport const light = lamp;\n`,
  'apps/main-api/src/room.ts': `export const room = 1;\n`,
  'apps/main-api/src/room.spec.ts': `it('is never built', () => {});\n`,
  'libs/domain/src/index.ts': `export const lamp = 1;\n`,
  'libs/launcher/src/main.ts': `export const launcher = 1;\n`,
  'package.json': '{ "type": "module" }',
  'package-lock.json': '{}',
};

/** The real scripts and compiler, over a tree so small that a build takes two seconds. */
describe('the build', () => {
  let tree: string;

  beforeEach(() => {
    tree = mkdtempSync(join(tmpdir(), 'landlord-build-'));
    for (const name of ['scripts', 'tsconfig.json', 'nest-cli.json'])
      cpSync(join(ROOT, name), join(tree, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
    for (const [file, text] of Object.entries(SOURCES)) write(file, text);
  });
  afterEach(() => rmSync(tree, { recursive: true, force: true }));

  it('is made when there is none, says so in one line, and is then left alone in silence and at once', () => {
    const first = buildIfStale();
    const began = performance.now();
    const second = buildIfStale();
    const tookMs = performance.now() - began;

    expect(first).toMatchObject({ status: 0, output: expect.stringMatching(/^Building.*\n$/) });
    expect(built('apps/main-api/src/main.js')).toContain('../../../libs/domain/src/index.js');
    expect(existsSync(join(tree, 'dist/apps/main-api/src/room.spec.js'))).toBe(false);
    expect(second).toEqual({ status: 0, output: '' });
    expect(tookMs).toBeLessThan(500);
  });

  it('follows a changed source, and forgets a deleted one', () => {
    buildIfStale();
    write('libs/domain/src/index.ts', `export const lamp = 2;\n`);
    write('apps/main-api/src/main.ts', `export const light = 0;\n`);
    rmSync(join(tree, 'apps/main-api/src/room.ts'));

    expect(buildIfStale().status).toBe(0);

    expect(built('apps/main-api/src/main.js')).toContain('light = 0');
    expect(existsSync(join(tree, 'dist/apps/main-api/src/room.js'))).toBe(false);
    expect(existsSync(join(tree, 'dist/libs/domain/src/index.js'))).toBe(false);
  });

  it('is made whole again when a part is missing or cut short', () => {
    buildIfStale();
    rmSync(join(tree, 'dist/libs/domain/src/index.js'));
    expect(buildIfStale().status).toBe(0);
    expect(built('libs/domain/src/index.js')).toContain('lamp = 1');

    writeFileSync(join(tree, 'dist/libs/domain/src/index.js'), '');
    expect(buildIfStale().status).toBe(0);
    expect(built('libs/domain/src/index.js')).toContain('lamp = 1');
  });

  it('fails with what the compiler says, and is not taken for done', () => {
    write('apps/main-api/src/room.ts', `export const room: number = 'one';\n`);

    const attempts = [buildIfStale(), buildIfStale()];

    for (const { status, output } of attempts) {
      expect(status).toBe(1);
      expect(output).toMatch(/room\.ts[\s\S]*TS2322[\s\S]*The build failed/);
    }
  });

  it('is made once by two who need it at the same moment', async () => {
    const outputs = await Promise.all([inBackground(), inBackground()]);

    expect(outputs.map(({ code }) => code)).toEqual([0, 0]);
    expect(outputs.filter(({ output }) => output.includes('Building'))).toHaveLength(1);
  });

  it('is not held up by the lock of a builder that was killed', () => {
    const { pid } = spawnSync('true');
    write('dist/.build.lock', String(pid));

    expect(buildIfStale().status).toBe(0);
  });

  it('works from any directory', () => {
    expect(buildIfStale('/').status).toBe(0);
    chmodSync(join(tree, 'dist'), 0o755);
    expect(built('libs/launcher/src/main.js')).toContain('launcher');
  });

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(join(tree, file), text);
  }

  const built = (file: string): string => readFileSync(join(tree, 'dist', file), 'utf8');
  const script = (): string => join(tree, 'scripts/build-if-stale.mjs');

  function buildIfStale(cwd = tree): { status: number | null; output: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script()], { cwd, encoding: 'utf8' });
    return { status, output: stdout + stderr };
  }

  async function inBackground(): Promise<{ code: number | null; output: string }> {
    const child = spawn(process.execPath, [script()], { cwd: tree, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output };
  }
});
