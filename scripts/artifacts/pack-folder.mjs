// Packs files so that the same files become the same bytes: without the users, times, modes and the order of this machine.
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { create } from 'tar';

/** All files below the folder in one order, relative to it. */
export const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();

/** Writes `file`, a .tgz of the folder with its files below `prefix`. A file that its owner can run stays one. */
export function packFolder(folder, file, { prefix = '', time = 0 } = {}) {
  const isProgram = (path) => (statSync(join(folder, path)).mode & 0o100) !== 0;
  packFiles(folder, file, filesBelow(folder), { modeOf: (path) => (isProgram(path) ? 0o755 : 0o644), prefix, time });
}

/** Writes `file`, a .tgz of these files of the folder, each with its mode. */
export function packFiles(folder, file, files, { modeOf, prefix = '', time = 0 }) {
  for (const path of files) chmodSync(join(folder, path), modeOf(path));
  create(
    { cwd: folder, file, sync: true, gzip: { level: 9 }, portable: true, mtime: new Date(time * 1000), prefix },
    files,
  );
}
