import { copyFile, link, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BrokerError } from '../broker-error.js';

/** Compactions end by themselves; one that goes on for longer is not waited for. */
const DEADLINE_MS = 15_000;
const PAUSE_MS = 50;
/** What the store makes anew when it is opened, and what says who has it open. */
const LEFT_OUT = ['LOCK', 'LOG', 'LOG.old'];

/**
 * Copies the files of a store that is not written to: either nobody has it open, or whoever has it holds its writes back.
 * Compactions may still end meanwhile and take files away, so the copy counts only if the files are the same before and
 * after. Tables never change once they are written: they are linked, so the copy is for reading only; a store that was opened
 * on it would write into tables of the first. The other files are small and copied.
 * Rejects with BrokerError when the store does not come to rest.
 */
export async function copyStore(from: string, to: string): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!(await tryCopy(from, to))) {
    if (Date.now() > deadline) throw new BrokerError('the store does not come to rest');
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
    // A compaction ended: its old files are gone.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  return JSON.stringify(before) === JSON.stringify(await listing(from));
}

/** Names and lengths; none of a directory that is not there. A table that is still being written grows. */
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
