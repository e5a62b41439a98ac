import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '../architecture/sources/sources.js';
import { CONSOLE_CONFIG } from './console-config.fixture.js';

const SOURCES: Record<string, string> = {
  'apps/main-api/src/main.ts': `import { lamp } from '@libs/domain';\nimport './room.js';\nexport const light = lamp;\n`,
  'apps/main-api/src/room.ts': `export const room = 1;\n`,
  'apps/main-api/src/room.spec.ts': `it('is never built', () => {});\n`,
  'libs/domain/src/index.ts': `export const lamp = 1;\n`,
  'apps/main-api/src/lamp.view.ts': `/**\n * A lamp, with its\n * light (C-1.1).\n */\nexport class LampView {}\n`,
  'libs/launcher/src/main.ts': `export const launcher = 1;\n`,
  'apps/supervisor/src/gateway/machines/join.sh': '#!/bin/sh\n',
  'packages/console/index.html': '<!doctype html><title>Console</title>',
  'packages/console/vite.config.ts': CONSOLE_CONFIG,
  'packages/sdk/src/index.ts': `export const sdk = 1;\n`,
  'package.json': '{ "type": "module" }',
  'package-lock.json': '{}',
};

/** The real scripts and compilers with a small source tree, for which a build takes two seconds. */
describe('the build', () => {
  const template = mkdtempSync(join(tmpdir(), 'landlord-build-'));
  let first: { status: number | null; output: string };
  let tree = template;

  beforeAll(() => {
    for (const name of ['scripts', 'tsconfig.json', 'nest-cli.json'])
      cpSync(join(ROOT, name), join(tree, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
    for (const [file, text] of Object.entries(SOURCES)) write(file, text);
    first = buildIfStale();
  });
  beforeEach(() => {
    tree = mkdtempSync(join(tmpdir(), 'landlord-build-'));
    cpSync(template, tree, { recursive: true, verbatimSymlinks: true });
  });
  afterEach(() => rmSync(tree, { recursive: true, force: true }));
  afterAll(() => rmSync(template, { recursive: true, force: true }));

  it('runs from any directory if there is no build, and prints one line', () => {
    expect(first).toMatchObject({ status: 0, output: expect.stringMatching(/^Building.*\n$/) });
    expect(built('apps/main-api/src/main.js')).toContain('lamp=1');
    expect(built('libs/launcher/src/main.js')).toContain('launcher');
    expect(existsSync(join(tree, 'dist/apps/main-api/src/room.spec.js'))).toBe(false);
  });

  it('does nothing and prints nothing if no source has changed', () => {
    const again = buildIfStale();

    expect(again).toEqual({ status: 0, output: '' });
  });

  it('compiles a changed source, and removes the output of a deleted one', () => {
    write('apps/main-api/src/main.ts', `export const light = 0;\n`);
    rmSync(join(tree, 'apps/main-api/src/room.ts'));

    expect(buildIfStale().status).toBe(0);

    expect(built('apps/main-api/src/main.js')).toMatch(/light ?= ?0/);
    expect(existsSync(join(tree, 'dist/apps/main-api/src/room.js'))).toBe(false);
    expect(existsSync(join(tree, 'dist/libs/domain/src/index.js'))).toBe(false);
  });

  it('restores missing and truncated outputs, also after a killed builder', () => {
    rmSync(join(tree, 'dist/libs/domain/src/index.js'));
    write('dist/apps/main-api/src/room.js', '');
    write('dist/.build.lock', String(spawnSync('true').pid));

    expect(buildIfStale().status).toBe(0);

    expect(built('libs/domain/src/index.js')).toContain('lamp = 1');
    expect(built('apps/main-api/src/room.js')).toContain('room = 1');
  });

  it('copies the files for browsers, copies a changed one again, and removes a deleted one', () => {
    const page = 'libs/host/src/gate/ui/page';
    write(`${page}/index.html`, '<p>one</p>');
    write(`${page}/page.js`, 'one();');
    expect(buildIfStale()).toMatchObject({ status: 0, output: expect.stringContaining('Building') });
    expect([built(`${page}/index.html`), built(`${page}/page.js`)]).toEqual(['<p>one</p>', 'one();']);
    expect(buildIfStale()).toEqual({ status: 0, output: '' });
    write(`${page}/page.js`, 'two();');
    rmSync(join(tree, page, 'index.html'));

    expect(buildIfStale().status).toBe(0);

    expect(built(`${page}/page.js`)).toBe('two();');
    expect(existsSync(join(tree, 'dist', page, 'index.html'))).toBe(false);
  });

  it('writes the comment of a view into the class, in one line and without citations', () => {
    expect(built('apps/main-api/src/lamp.view.js')).toContain('ApiSchema({ description: "A lamp, with its light." })');
  });

  it('compiles unchanged sources again if its plugin has changed', () => {
    const plugin = 'scripts/class-comments.mjs';
    write(plugin, readFileSync(join(tree, plugin), 'utf8').replace(`'ApiSchema'`, `'OtherDecorator'`));

    expect(buildIfStale().status).toBe(0);

    expect(built('apps/main-api/src/lamp.view.js')).toContain('OtherDecorator({ description: "A lamp');
  });

  it.each([
    ['a source with a syntax error', 'room.ts', 'export const room = ;\n', /room\.ts/],
    ['a view with a syntax error', 'lamp.view.ts', 'export class LampView { light: ; }\n', /lamp\.view\.ts/],
    ['an import of a name that is missing', 'main.ts', `import { no } from './room.js';\nconsole.log(no);\n`, /"no"/],
  ])('fails for %s with the message of the compiler, and runs again the next time', (_title, file, text, message) => {
    write(`apps/main-api/src/${file}`, text);

    const attempts = [buildIfStale(), buildIfStale()];

    for (const { status, output } of attempts) {
      expect(status).toBe(1);
      expect(output).toMatch(message);
      expect(output).toMatch(/The build failed\.\n$/);
    }
  });

  it('escapes letters in regular expressions of a bundle, which would double its memory', () => {
    write('apps/main-api/src/main.ts', `console.log(/^[ÄƏ😀]$/u.test('😀'), /^Ə$/.test('Ə'), 'Ə');\n`);

    expect(buildIfStale()).toMatchObject({ status: 0 });

    expect(built('apps/main-api/src/main.js')).toMatch(/^[\0-\x7f]*$/);
    const run = spawnSync(process.execPath, [join(tree, 'dist/apps/main-api/src/main.js')], { encoding: 'utf8' });
    expect(run.stdout).toBe('true true Ə\n');
  });

  it('says what to do when nothing is installed', () => {
    rmSync(join(tree, 'node_modules'));
    write('apps/main-api/src/room.ts', `export const room = 2;\n`);

    expect(buildIfStale()).toEqual({ status: 1, output: 'The build tools are not installed. Run: npm ci\n' });
  });

  it('keeps the types of members across files in the metadata and in the API description', () => {
    write(
      'libs/domain/src/index.ts',
      `export const lamp = 1;\nexport type Colour = 'red' | 'green';\nexport class Size {}\n`,
    );
    write(
      'apps/main-api/src/lamp.view.ts',
      `import { Size, type Colour } from '@libs/domain';\nexport class LampView {\n  colour: Colour;\n  sizes?: Size[];\n}\n`,
    );
    write(
      'apps/main-api/src/room.ts',
      `import { Injectable } from '@nestjs/common';\nimport { Size } from '@libs/domain';\n` +
        `import { LampView } from './lamp.view.js';\n@Injectable()\nexport class Room {\n` +
        `  constructor(readonly size: Size, readonly lamp: LampView) {}\n}\n`,
    );

    expect(buildIfStale()).toMatchObject({ status: 0 });

    const view = built('apps/main-api/src/lamp.view.js');
    expect(view).toContain('colour: { required: true, enum: ["red", "green"] }');
    expect(view).toMatch(/sizes: \{ required: false, type: \(\) => \[.*Size\] \}/);
    expect(built('apps/main-api/src/room.js')).toMatch(/"design:paramtypes", \[[^\]]*\bSize,[^\]]*\bLampView\s*\]/);
  });

  it('runs once for two parallel commands', async () => {
    write('libs/domain/src/index.ts', `export const lamp = 2;\n`);

    const outputs = await Promise.all([inBackground(), inBackground()]);

    expect(outputs.map(({ code }) => code)).toEqual([0, 0]);
    expect(outputs.filter(({ output }) => output.includes('Building'))).toHaveLength(1);
    expect(built('libs/domain/src/index.js')).toContain('lamp = 2');
  });

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(join(tree, file), text);
  }

  const built = (file: string): string => readFileSync(join(tree, 'dist', file), 'utf8');
  const script = (): string => join(tree, 'scripts/build-if-stale.mjs');

  function buildIfStale(): { status: number | null; output: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script()], { cwd: '/', encoding: 'utf8' });
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
