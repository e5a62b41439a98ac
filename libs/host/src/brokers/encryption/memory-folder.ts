import { lstat, mkdir, rm, rmdir, statfs, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { MEMORY_FILES } from '@libs/domain/node-memory';
import { BrokerError } from '../../control/broker-error.js';

/** The type of a file system whose files are in memory only. */
const TMPFS = 0x01021994;

/**
 * Makes `link` lead to an empty folder in memory, which only this user can enter. Deletes what was at both places. Rejects with BrokerError
 * on a machine without such a file system, and when another user has the folder.
 */
export async function linkMemoryFolder(link: string, folder: string): Promise<void> {
  const { type } = await statfs(MEMORY_FILES).catch(() => ({ type: 0 }));
  if (type !== TMPFS) throw new BrokerError(`encryption needs a file system in memory at ${MEMORY_FILES}`);
  await ownFolder(dirname(folder));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  await rm(link, { recursive: true, force: true });
  await symlink(folder, link);
}

/** Deletes the folder, and the folder around it when that is empty. */
export async function removeMemoryFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await rmdir(dirname(folder)).catch(() => undefined);
}

/** Every user can create files beside the folder, so another user may have created the folder first. */
async function ownFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const stats = await lstat(folder);
  if (!stats.isDirectory() || stats.uid !== process.getuid?.() || (stats.mode & 0o077) !== 0)
    throw new BrokerError(`${folder} is not a private directory of this user`);
}
