import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { eventually } from '@libs/testing';
import { ROOT } from '../architecture/sources/sources.js';
import { CONSOLE_CONFIG } from './console-config.fixture.js';

const launcher = (name: string): string =>
  `process.once('SIGTERM', () => {\n  console.log('stopped ${name}');\n  process.exit(0);\n});\n` +
  `setInterval(() => undefined, 1000);\nconsole.log('started ${name}');\n`;

/** The real script and compilers with a small source tree, for which a build takes two seconds. */
describe('npm run dev', () => {
  const tree = mkdtempSync(join(tmpdir(), 'landlord-dev-'));
  let dev: ChildProcess;
  let output = '';

  beforeAll(() => {
    for (const name of ['scripts', 'tsconfig.json', 'nest-cli.json'])
      cpSync(join(ROOT, name), join(tree, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
    write('package.json', '{ "type": "module" }');
    write('package-lock.json', '{}');
    write('apps/main-api/src/main.ts', 'export const app = 1;\n');
    write('apps/supervisor/src/gateway/machines/join.sh', '#!/bin/sh\n');
    write('packages/console/index.html', '<!doctype html><title>Console</title>');
    write('packages/console/vite.config.ts', CONSOLE_CONFIG);
    write('packages/sdk/src/index.ts', 'export const sdk = 1;\n');
    write('libs/launcher/src/main.ts', launcher('the first version'));
    dev = spawn(process.execPath, [join(tree, 'scripts/dev.mjs')], { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [dev.stdout, dev.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  });
  afterAll(async () => {
    if (dev.exitCode === null) dev.kill('SIGKILL');
    rmSync(tree, { recursive: true, force: true });
  });

  it('restarts Landlord after a change, keeps it running after a change that does not build, and stops it', async () => {
    await printed('started the first version');

    write('libs/launcher/src/main.ts', launcher('the second version'));
    await printed('started the second version');
    expect(output.indexOf('stopped the first version')).toBeLessThan(output.indexOf('started the second version'));
    expect(output).toContain('stopped the first version');

    write('libs/launcher/src/main.ts', `${launcher('the third version')}const fault = ;\n`);
    await printed('Waiting for a change that builds.');
    expect(output).toContain('const fault = ;');
    expect(output).not.toContain('stopped the second version');

    const closed = once(dev, 'close');
    dev.kill('SIGTERM');
    await closed;
    expect(output).toContain('stopped the second version');
    expect(output).not.toMatch(/^started the third version$/m);
  });

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(join(tree, file), text);
  }

  const printed = (text: string): Promise<unknown> =>
    eventually(
      () => output,
      () => output.includes(text),
      90_000,
    );
});
