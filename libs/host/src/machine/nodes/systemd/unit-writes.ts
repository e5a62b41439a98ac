import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import type { SystemUser } from './system-users.js';

/** Atomic: the service manager never reads a part. */
export async function writeUnitFile(path: string, content: string): Promise<void> {
  await writeNew(`${path}.new`, content, 0o644, null);
  await rename(`${path}.new`, path);
}

/**
 * Writes a file (0600) of the node's user into the directory of this user. The new file has a random name and must not exist, and a
 * rename replaces a link instead of following it. So the node cannot make this process of root write elsewhere.
 */
export async function writeFor(user: SystemUser, path: string, content: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeNew(temporary, content, 0o600, user);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeNew(path: string, content: string, mode: number, user: SystemUser | null): Promise<void> {
  if (user === null) await rm(path, { force: true });
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(content);
    await file.chmod(mode);
    if (user !== null) await file.chown(user.uid, user.gid);
    await file.sync();
  } finally {
    await file.close();
  }
}
