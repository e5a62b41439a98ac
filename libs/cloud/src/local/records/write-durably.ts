import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Temporary file, fsync, rename, fsync of the directory. Only the owner can read the file. */
export async function writeDurably(path: string, content: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.chmod(0o600);
    await file.sync();
  } catch (error) {
    // On a full disk, each attempt would leave a file.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
  await rename(temporary, path).catch(async (error: unknown) => {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  });
  await syncDirectory(dirname(path));
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
