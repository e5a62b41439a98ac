// The sources and the outputs of the last build. With them a command recognizes a fresh build in a fraction of a
// second.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '..');
export const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, '.stamp.json');

/** Files other than the sources that change the output of the compiler. */
const INPUTS = [
  ...['package-lock.json', 'nest-cli.json', 'tsconfig.json', 'scripts/class-comments.mjs'],
  ...['scripts/artifacts/bundle-programs.mjs', 'scripts/compile/compile.mjs', 'scripts/compile/api-modules.mjs'],
  ...['scripts/compile/imports.mjs', 'scripts/compile/transpile.mjs'],
];
/** Folders with files for browsers, and single files. The build copies them unchanged. */
const ASSET_FOLDERS = ['libs/host/src/gate/ui/page'];
const ASSET_FILES = ['apps/supervisor/src/gateway/machines/join.sh'];
const isAsset = (file) =>
  ASSET_FOLDERS.some((folder) => file.startsWith(join(ROOT, folder) + sep)) ||
  ASSET_FILES.some((asset) => file === join(ROOT, asset));
/** Sources that can reach `dist`; not files for tests only. */
const isSource = (file) =>
  isAsset(file) || (/\.(ts|json)$/.test(file) && !/\.(spec|proof|fixture)\.ts$|\/libs\/testing\//.test(file));
const OUTPUT = /\.(js|js\.map|d\.ts|json|html|css|sh)$/;

/** Hash of every source by name and content, of the lockfile and of the compiler settings. */
export function hashSources() {
  const sources = ['apps', 'libs', 'packages'].flatMap((folder) => filesUnder(join(ROOT, folder)).filter(isSource));
  return hashOf([...INPUTS.map((name) => join(ROOT, name)), ...sources.sort()]);
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${relative(ROOT, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
}

/** Whether `dist` is complete and was built from the current sources. */
export function isFresh() {
  return isWhole() && readStamp().sources === hashSources();
}

/** Whether the last build was completed, and its outputs are unchanged. */
export function isWhole() {
  const stamp = readStamp();
  return stamp !== null && Object.entries(stamp.outputs).every(([file, size]) => sizeOf(join(DIST, file)) === size);
}

/** The sources and outputs of the last complete build, or null. */
function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'));
  } catch {
    return null;
  }
}

/** Marks `dist` as incomplete until writeStamp, also if the process stops in between. */
export function dropStamp() {
  rmSync(STAMP, { force: true });
}

export function writeStamp(sources, outputs) {
  const sizes = Object.fromEntries(outputs.map((file) => [file, sizeOf(join(DIST, file))]));
  writeFileSync(STAMP, `${JSON.stringify({ sources, outputs: sizes })}\n`);
}

/** The files that the build copies, relative to the root of the repository. */
export function assets() {
  const inFolders = ASSET_FOLDERS.flatMap((folder) => filesUnder(join(ROOT, folder)));
  return [...inFolders.map((file) => relative(ROOT, file).split(sep).join('/')), ...ASSET_FILES];
}

/** All importable files in `dist` without a source. */
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
