// Builds the console, a single-page app, with the guides into `dist/console`. Skipped when its sources have not changed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { DIST, ROOT } from '../build-stamp.mjs';

const VITE = join(ROOT, 'node_modules/vite/bin/vite.js');
const CONSOLE = join(ROOT, 'packages/console');
const OUTPUT = join(DIST, 'console');
const STAMP = join(DIST, '.console-stamp.json');
const MODULES = join(DIST, '.console-modules');
const SOURCES = [CONSOLE, join(ROOT, 'packages/sdk/src'), join(ROOT, 'docs'), join(ROOT, 'scripts/documents')];
const TEXT = /\.(js|css|html|svg)$/;
/** Quality 9 takes seven times as long and saves 0.2 %, the highest quality twenty times as long and 6 %. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } };

/** Whether `dist/console` was built from the current sources, and is complete. */
export function isConsoleFresh() {
  try {
    const { sources, outputs } = JSON.parse(readFileSync(STAMP, 'utf8'));
    return sources === hashSources() && outputs.every((file) => existsSync(join(OUTPUT, file)));
  } catch {
    return false;
  }
}

/** Builds in a process of its own, beside the compiler of the server. Rejects with the output of the build when it fails. */
export async function buildConsole() {
  if (isConsoleFresh()) return;
  const sources = hashSources();
  const { code, output } = await run([
    VITE,
    'build',
    '--logLevel',
    'warn',
    '--config',
    join(CONSOLE, 'vite.config.ts'),
  ]);
  if (code !== 0) throw new Error(`The build of the console failed (exit code ${code}).\n${output}`);
  const outputs = filesUnder(OUTPUT);
  for (const file of outputs.filter((name) => TEXT.test(name))) compress(join(OUTPUT, file));
  const modules = readFileSync(MODULES, 'utf8').split('\n').map(fileOf);
  rmSync(MODULES);
  writeFileSync(STAMP, `${JSON.stringify({ sources, outputs, modules })}\n`);
}

/** The sources of the bundle of the last build, relative to the root of the repository. */
export const consoleSources = () => JSON.parse(readFileSync(STAMP, 'utf8')).modules;

/** A module without a file is a part of the package that its name begins with: the bundler writes it into the bundle. */
const fileOf = (id) =>
  id.startsWith('\0') ? `node_modules/${id.slice(1)}` : relative(ROOT, id.replace(/\?.*$/, '')).split(sep).join('/');

function run(words) {
  const env = { ...process.env, CONSOLE_MODULES: MODULES };
  const child = spawn(process.execPath, words, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** The server sends these files as they are. */
function compress(file) {
  const text = readFileSync(file);
  writeFileSync(`${file}.br`, brotliCompressSync(text, BROTLI));
  writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }));
}

function hashSources() {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')));
  for (const folder of SOURCES)
    for (const name of filesUnder(folder))
      hash.update(`${relative(ROOT, join(folder, name))}\0`).update(readFileSync(join(folder, name)));
  return hash.digest('hex');
}

/** Paths below the folder, in a stable order. */
function filesUnder(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}
