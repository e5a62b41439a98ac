import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateDirectory } from '@libs/domain/starts';

/** Writes a file that only its owner can read (0600), atomically: after a crash it has the old content or the new content. */
export function writePrivateFile(path: string, content: string): void {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  syncDirectory(dirname(path));
}

/** The trimmed content, or null when the file does not exist. Throws other failures. */
export function readFileIfAny(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Creates a directory that only its owner can enter (0700). An existing one keeps its mode, because it may be a mount. */
export const ensurePrivateDirectory: (path: string) => void = makePrivateDirectory;

function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
