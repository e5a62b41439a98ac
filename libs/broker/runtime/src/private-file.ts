import { randomUUID } from 'node:crypto';
import { chmod, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file that only its owner can read (0600), atomically: temporary file, fsync, rename, fsync of the directory. After
 * it resolves the content survives a power cut.
 */
export async function writePrivateFile(path: string, content: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(content);
    // The mode of `open` applies only to a new file. A file that a crash left may have a wider mode.
    await chmod(temporary, 0o600);
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

/** The content of a file, or null when it does not exist. Throws other failures. */
export async function readFileIfAny(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
