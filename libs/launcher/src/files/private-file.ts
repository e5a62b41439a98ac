import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateDirectory } from '@libs/domain/starts';

/** Writes a file that only its owner can read (0600), atomically: after a crash it has the old content or the new content. */
export function writePrivateFile(path: string, content: string): void {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    writeDraft(draft, content);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncDirectory(dirname(path));
}

function writeDraft(draft: string, content: string): void {
  const file = openSync(draft, 'wx', 0o600);
  try {
    // Unlike write(2), this does not end after a part that still fitted on the disk.
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
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
