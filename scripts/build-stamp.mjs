// What `dist` was built from and what it consists of, so that a fresh build is recognized in a fraction of a second.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '..');
export const DIST = join(ROOT, 'dist');
export const BUILD_INFO = join(DIST, '.tsbuildinfo');
const STAMP = join(DIST, '.stamp.json');

/** Files beside the sources that decide what the compiler makes of them. */
const INPUTS = ['package-lock.json', 'nest-cli.json', 'tsconfig.json', 'scripts/tsconfig.build.json'];
/** Sources that end in `dist`, or may; not what is written for tests alone. */
const isSource = (file) => /\.(ts|json)$/.test(file) && !/\.(spec|proof|fixture)\.ts$|\/libs\/testing\//.test(file);
const OUTPUT = /\.(js|js\.map|d\.ts|json)$/;

/** Hash of every source by name and content, of the lockfile and of the compiler settings. */
export function hashSources() {
  const hash = createHash('sha256');
  const sources = ['apps', 'libs'].flatMap((folder) => filesUnder(join(ROOT, folder)).filter(isSource));
  for (const file of [...INPUTS.map((name) => join(ROOT, name)), ...sources.sort()])
    hash
      .update(`${relative(ROOT, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
}

/** Whether `dist` is complete and was built from the sources as they are. */
export function isFresh() {
  return isWhole() && readStamp().sources === hashSources();
}

/** Whether the last build was completed, and nobody has changed what it made. */
export function isWhole() {
  const stamp = readStamp();
  return stamp !== null && Object.entries(stamp.outputs).every(([file, size]) => sizeOf(join(DIST, file)) === size);
}

/** What the last complete build consisted of, or null. */
function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'));
  } catch {
    return null;
  }
}

/** From here until writeStamp nobody takes `dist` for complete, whatever happens in between. */
export function dropStamp() {
  rmSync(STAMP, { force: true });
}

export function writeStamp(sources, outputs) {
  const sizes = Object.fromEntries(outputs.map((file) => [file, sizeOf(join(DIST, file))]));
  writeFileSync(STAMP, `${JSON.stringify({ sources, outputs: sizes })}\n`);
}

/** What the compiler answers for in `dist`, from its own list of the files of the program; empty without one. */
export function expectedOutputs() {
  if (!existsSync(BUILD_INFO)) return [];
  const { fileNames } = JSON.parse(readFileSync(BUILD_INFO, 'utf8'));
  return fileNames
    .map((name) => relative(ROOT, resolve(DIST, name)).split(sep).join('/'))
    .filter((name) => /^(apps|libs)\//.test(name) && !name.endsWith('.d.ts'))
    .map((name) => name.replace(/\.ts$/, '.js'));
}

/** Everything importable in `dist` that no source answers for any more. */
export function lingeringOutputs(expected) {
  const kept = new Set(expected.flatMap((file) => [file, `${file}.map`]));
  return ['apps', 'libs']
    .flatMap((folder) => filesUnder(join(DIST, folder)))
    .filter((file) => OUTPUT.test(file) && !kept.has(relative(DIST, file).split(sep).join('/')));
}

function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function sizeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.size ?? null;
}
