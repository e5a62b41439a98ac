import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file that only its owner can read (0600), atomically: temporary file, fsync, rename, fsync of the directory. After
 * it resolves the content survives a power cut.
 */
export async function writePrivateFile(path: string, content: string): Promise<void> {
  const draft = draftOf(path);
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    // On a full disk, each attempt would leave a file.
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** The same for a program that does one thing at a time. */
export function writePrivateFileSync(path: string, content: string): void {
  const draft = draftOf(path);
  try {
    const file = openSync(draft, 'wx', 0o600);
    try {
      // Unlike write(2), this does not end after a part that still fitted on the disk.
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  const directory = openSync(dirname(path), 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** The content of a file, or null when it does not exist. Throws other failures. */
export async function readFileIfAny(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    return nullWhenMissing(error);
  }
}

/** The trimmed content, or null when the file does not exist. Throws other failures. */
export function readFileIfAnySync(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    return nullWhenMissing(error);
  }
}

/** Syncs a directory, so that a rename in it survives a crash. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** No other writer has the name, so `wx` never finds a file with a wider mode. */
const draftOf = (path: string): string => `${path}.${randomUUID()}.tmp`;

function nullWhenMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}
