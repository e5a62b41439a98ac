import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CloudError } from '../../cloud-error.js';
import { RecordLock } from './record-lock.js';
import { startTimeOf, until } from '@libs/host/os';

const DEADLINE_MS = 10_000;
const LOOK_MS = 5;
/** Work under a lock never takes this long. Its owner was stopped, and may resume much later. */
const STUCK_MS = 3_000;

/**
 * Locks between all processes of this machine. A lock is a directory with one file, which is named after its owner. The lock
 * ends with its owner, or when its owner is stuck. Two properties of rename(2) and unlink(2) make it safe. A directory cannot
 * replace one that contains a file, so only one process gets the lock. Owner names are unique, so a late removal of a dead
 * owner cannot remove a newer living one.
 */
export class RecordLocks {
  /** @param root Absolute path of the directory of the locks, on the file system of the protected files. Created on demand. */
  constructor(private readonly root: string) {}

  /**
   * Runs the work with the lock of `key`. The work must be short: other processes poll for the lock, and take it from an owner
   * that has it for seconds. So the work must write through the lock, which refuses writes after it was taken.
   * @throws CloudError when living processes had it for ten seconds
   */
  async run<T>(key: string, work: (lock: RecordLock) => Promise<T>): Promise<T> {
    const path = join(this.root, encodeURIComponent(key));
    const owner = await this.take(path);
    try {
      return await work(new RecordLock(join(path, owner)));
    } finally {
      await rm(join(path, owner), { force: true });
      await removeEmpty(path);
    }
  }

  private async take(path: string): Promise<string> {
    const owner = `${process.pid}_${startTimeOf(process.pid) ?? ''}_${randomUUID()}`;
    const draft = join(dirname(path), `${owner}.draft`);
    await mkdir(draft, { recursive: true, mode: 0o700 });
    await writeFile(join(draft, owner), '', { mode: 0o600 });
    const firstSeen = new Map<string, number>();
    const look = async (): Promise<boolean> => (await moved(draft, path)) || (await removeOver(path, firstSeen), false);
    if (await until(look, { timeoutMs: DEADLINE_MS, everyMs: LOOK_MS })) return owner;
    await rm(draft, { recursive: true });
    const [holder = ''] = await ownersOf(path);
    throw new CloudError({ code: 'unavailable' }, `process ${holder.split('_')[0]} holds ${path}`);
  }
}

async function moved(draft: string, path: string): Promise<boolean> {
  try {
    await rename(draft, path);
    return true;
  } catch (error) {
    if (isOneOf(error, 'ENOTEMPTY', 'EEXIST')) return false;
    throw error;
  }
}

/**
 * Removes owners whose process has ended, and owners that this waiter has seen for too long. Uses the waiter's monotonic time.
 */
async function removeOver(path: string, firstSeen: Map<string, number>): Promise<void> {
  for (const owner of await ownersOf(path)) {
    const since = firstSeen.get(owner) ?? performance.now();
    firstSeen.set(owner, since);
    const [pid = '', startTime = ''] = owner.split('_');
    const isStuck = performance.now() - since > STUCK_MS;
    if (isStuck || (startTimeOf(Number(pid)) ?? '') !== startTime) await rm(join(path, owner), { force: true });
  }
}
const ownersOf = (path: string): Promise<string[]> => readdir(path).catch(() => []);

/** The directory may contain the next owner, or may be deleted already. */
async function removeEmpty(path: string): Promise<void> {
  await rmdir(path).catch((error: unknown) => {
    if (!isOneOf(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) throw error;
  });
}

const isOneOf = (error: unknown, ...codes: string[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException).code ?? '');
