import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BrokerError } from './broker-error.js';
import { directoryBytes } from '../os/directory-bytes.js';
import type { Copied } from './copy-while-stopped.js';

const MIB = 1024 * 1024;

/** What a disk has for a copy. */
export interface Room {
  freeBytes: number;
  /** Must stay free after the copy. */
  reserveBytes: number;
}

/**
 * Throws BrokerError when a copy would use the reserve of the disk. `roomOf` tells the room on the disk of a directory. A file system
 * that lets two files share their blocks needs no room for a copy.
 */
export async function requireSpace(
  { from, to, without = [] }: Copied,
  roomOf: (directory: string) => Promise<Room>,
): Promise<void> {
  const target = dirname(to);
  const [all, ...excludedBytes] = await Promise.all(
    [from, ...without.map((name) => join(from, name))].map(directoryBytes),
  );
  const neededBytes = excludedBytes.reduce((rest, bytes) => rest - bytes, all ?? 0);
  const { freeBytes, reserveBytes } = await roomOf(target);
  if (freeBytes - neededBytes >= reserveBytes || (await sharesBlocks(from, target))) return;
  const [needed, free] = [neededBytes, Math.max(0, freeBytes - reserveBytes)].map((bytes) => Math.ceil(bytes / MIB));
  throw new BrokerError(`a copy of the data needs ${needed} MiB, and the disk of the node has ${free} MiB for it`);
}

/** Whether a file of one directory can have a copy in the other that shares its blocks. */
async function sharesBlocks(from: string, to: string): Promise<boolean> {
  if ((await stat(from)).dev !== (await stat(to)).dev) return false;
  const [original, copy] = [1, 2].map(() => join(to, `.shared-${randomUUID()}`)) as [string, string];
  try {
    await writeFile(original, 'x'.repeat(4_096), { mode: 0o600 });
    await copyFile(original, copy, constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    return false;
  } finally {
    await Promise.all([original, copy].map((path) => rm(path, { force: true })));
  }
}
