// Packs a folder so that the same files become the same bytes: without the users, times, modes and the order of this machine.
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
  const files = filesBelow(folder);
  for (const path of files) {
    const isProgram = (statSync(join(folder, path)).mode & 0o100) !== 0;
    chmodSync(join(folder, path), isProgram ? 0o755 : 0o644);
  }
  create(
    { cwd: folder, file, sync: true, gzip: { level: 9 }, portable: true, mtime: new Date(time * 1000), prefix },
    files,
  );
}
