import { copyFile, link, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BrokerError } from '../../../control/broker-error.js';

/** Compactions end without intervention. The copy does not wait longer than this. */
const DEADLINE_MS = 15_000;
const PAUSE_MS = 50;
/** Files that the store creates when it is opened, and its lock. */
const LEFT_OUT = ['LOCK', 'LOG', 'LOG.old'];

/**
 * Copies the files of a store without writes: the store is closed, or its owner blocks writes. A compaction may still end and
 * delete files. So the copy is valid only if the files are equal before and after. Tables are immutable, so they are linked.
 * The copy is therefore read-only: a store opened on it would write into tables of the original. Other files are small and
 * copied. Rejects with BrokerError when the store does not become quiet.
 */
export async function copyStore(from: string, to: string): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!(await tryCopy(from, to))) {
    if (Date.now() > deadline) throw new BrokerError('the data changes too fast for a copy');
    await new Promise((wake) => setTimeout(wake, PAUSE_MS));
  }
}

async function tryCopy(from: string, to: string): Promise<boolean> {
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true, mode: 0o700 });
  const before = await listing(from);
  try {
    for (const { name } of before) {
      const copy = name.endsWith('.ldb') ? link : copyFile;
      await copy(join(from, name), join(to, name));
    }
  } catch (error) {
    // A compaction ended and deleted its old files.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  return JSON.stringify(before) === JSON.stringify(await listing(from));
}

/** Names and lengths. Empty for a missing directory. The length of a table grows while it is written. */
async function listing(directory: string): Promise<{ name: string; size: number }[]> {
  const names = (await readdir(directory).catch(() => [])).filter((name) => !LEFT_OUT.includes(name)).sort();
  const sizes = await Promise.all(names.map((name) => sizeOf(join(directory, name))));
  return names.map((name, index) => ({ name, size: sizes[index] ?? -1 }));
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => -1,
  );
