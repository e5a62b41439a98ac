import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isStorageFull } from '../outages/outages.js';
import { StartRefused } from './start-refused.js';

/** One page of a file system. A full disk has no place for it. */
export const PROBE_BYTES = 4096;

const REFUSED: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
  EIO: 'the disk has an error',
};
const IMPOSSIBLE: Record<string, string> = {
  ENOTDIR: 'a part of this path is a file',
  EEXIST: 'a file has this path',
  ENOENT: 'this file system cannot contain it',
};

/** The refusal for an error of the file system at this path, or null when the error has another cause. */
export function fileRefusal(path: string, error: unknown): StartRefused | null {
  const { code = '' } = (error ?? {}) as NodeJS.ErrnoException;
  const refused = REFUSED[code];
  if (refused !== undefined) return foreignDirectory(path) ?? refusedFile(path, refused, error);
  if (isStorageFull(error)) return StartRefused.because('disk_full', { path }, { cause: error });
  const impossible = IMPOSSIBLE[code];
  return impossible === undefined
    ? null
    : StartRefused.because('data_directory_impossible', { path, reason: impossible }, { cause: error });
}

/** Runs `work` on the files of the data directory. @throws StartRefused for problems of the file system */
export function withFiles<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fileRefusal(path, error) ?? error;
  }
}

/**
 * Creates a directory and its parents with mode 0700. An existing directory keeps its mode. Unlike the recursive mkdir of Node,
 * this ends on file systems such as /proc, where Node repeats the call without end.
 */
export function makePrivateDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makePrivateDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may create the directory at this moment.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Creates the data directory, and writes and deletes a small file in it. @throws StartRefused */
export function requireDataDirectory(path: string): void {
  withFiles(path, () => {
    makePrivateDirectory(path);
    const probe = join(path, `start-check.${process.pid}`);
    try {
      writeFileSync(probe, Buffer.alloc(PROBE_BYTES), { mode: 0o600 });
    } finally {
      rmSync(probe, { force: true });
    }
  });
}

const refusedFile = (path: string, reason: string, cause: unknown): StartRefused =>
  StartRefused.because('data_directory_refused', { path, reason }, { cause });

/** An existing directory of another user. Root may write everywhere, so another cause applies. */
function foreignDirectory(path: string): StartRefused | null {
  const user = process.getuid?.();
  if (user === undefined || user === 0) return null;
  const owner = ownerOf(path);
  if (owner === null || owner === user) return null;
  return StartRefused.because('data_directory_foreign', { path, owner: String(owner), user: String(user) });
}

function ownerOf(path: string): number | null {
  try {
    return statSync(path, { throwIfNoEntry: false })?.uid ?? null;
  } catch {
    // A directory above forbids even this.
    return dirname(path) === path ? null : ownerOf(dirname(path));
  }
}
