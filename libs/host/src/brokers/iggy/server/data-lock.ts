import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { BrokerError } from '../../../control/broker-error.js';
import type { Started } from '../../../control/spawn-detached.js';

const BOOT_ID = '/proc/sys/kernel/random/boot_id';
/** Not the pid of a process. */
const NOBODY = 0;
/** Another starter can win this often before its lock is seen. */
const ATTEMPTS = 10;

/**
 * Starts a server while this process holds the lock of the data directory. Afterwards the server holds it, until it ends. Throws
 * BrokerError while another process holds the lock: iggy-server itself takes none, and two servers damage the data.
 */
export async function startLocked(data: string, start: () => Promise<Started>): Promise<Started> {
  const lock = await takeLock(data);
  try {
    const started = await start();
    await handTo(lock, started.pid);
    return started;
  } catch (error) {
    await handTo(lock, NOBODY);
    throw error;
  }
}

/**
 * The lock is a file `<data>.lock.<number>` that names a process: the file with the highest number counts, and holds as long as its
 * process lives. A starter creates the next number, which only one of several starters can. The highest number never falls, so no
 * starter deletes a lock that holds, however late it acts on what it read.
 */
async function takeLock(data: string): Promise<string> {
  const ownLock = `${data}.lock-${randomUUID()}`;
  await writeFile(ownLock, await identityOf(process.pid), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const lock = await takeNext(data, ownLock);
      if (lock !== null) return lock;
    }
    throw new BrokerError('other processes start servers on the data directory of this node');
  } finally {
    await rm(ownLock, { force: true });
  }
}

/** Null when another starter was faster. */
async function takeNext(data: string, ownLock: string): Promise<string | null> {
  const last = Math.max(0, ...(await numbersOf(data)));
  await requireEnded(data, last);
  const lock = nameOf(data, last + 1);
  if (!(await isCreated(ownLock, lock))) return null;
  const numbers = await numbersOf(data);
  const isHighest = Math.max(...numbers) === last + 1;
  // Others may have deleted the number that was the last one, and have a higher one.
  const ended = isHighest ? numbers.filter((number) => number <= last) : [last + 1];
  for (const number of ended) await rm(nameOf(data, number), { force: true });
  return isHighest ? lock : null;
}

const nameOf = (data: string, number: number): string => `${data}.lock.${number}`;

async function numbersOf(data: string): Promise<number[]> {
  const prefix = `${basename(data)}.lock.`;
  const names = (await readdir(dirname(data))).filter((name) => name.startsWith(prefix));
  return names.map((name) => Number(name.slice(prefix.length))).filter(Number.isSafeInteger);
}

async function requireEnded(data: string, number: number): Promise<void> {
  const holder = await readFile(nameOf(data, number), 'utf8').catch(() => '');
  const pid = Number.parseInt(holder, 10);
  if (pid > 0 && holder === (await identityOf(pid)))
    throw new BrokerError(`process ${pid} has locked the data directory of this node`);
}

function isCreated(from: string, lock: string): Promise<boolean> {
  return link(from, lock).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
}

async function handTo(lock: string, pid: number): Promise<void> {
  const next = `${lock}-${randomUUID()}`;
  await writeFile(next, await identityOf(pid), { mode: 0o600 });
  await rename(next, lock);
}

/** The pid, the time of its start, and the boot of the machine: another process can get the pid later. Empty: it has ended. */
async function identityOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  const [state = '', ...more] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // It has ended, and only its parent has not asked for its result.
  if (stat === '' || 'ZX'.includes(state)) return '';
  return `${pid} ${more[18]} ${(await readFile(BOOT_ID, 'utf8')).trim()}`;
}
