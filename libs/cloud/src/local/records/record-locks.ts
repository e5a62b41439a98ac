import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { CloudError } from '../../cloud-error.js';
import { RecordLock } from './record-lock.js';
import { until } from '../until.js';

const DEADLINE_MS = 10_000;
const LOOK_MS = 5;
/** Nobody works that long under a lock: its owner was stopped, and may wake in an hour. */
const STUCK_MS = 3_000;

/**
 * Locks between all processes of this machine. A lock is a directory that holds one file, named by its owner, and it ends
 * with its owner, or when its owner is stuck. Two facts of rename(2) and unlink(2) make it safe: a directory cannot be moved
 * onto one that holds a file, so of all who come one gets in; and no two owners have one name, so whoever removes a dead
 * owner, however late, cannot remove the living one that has come since.
 */
export class RecordLocks {
  /** @param root Absolute path of the directory of the locks, on the file system of what they guard; made when it is needed. */
  constructor(private readonly root: string) {}

  /**
   * Does the work while nobody else holds `key`. The work must be short: others wait for it by looking, and take the lock
   * from whoever has it for seconds. So it writes through the lock, which writes nothing once it was taken.
   * @throws CloudError when living processes held it for ten seconds
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
    const owner = `${process.pid}_${await initialRowsOf(process.pid)}_${randomUUID()}`;
    const draft = join(dirname(path), `${owner}.draft`);
    await mkdir(draft, { recursive: true, mode: 0o700 });
    await writeFile(join(draft, owner), '', { mode: 0o600 });
    const firstSeen = new Map<string, number>();
    const look = async (): Promise<boolean> => (await moved(draft, path)) || (await removeOver(path, firstSeen), false);
    if (await until(look, { deadlineMs: DEADLINE_MS, intervalMs: LOOK_MS })) return owner;
    await rm(draft, { recursive: true });
    const [holder = ''] = await ownersOf(path);
    throw new CloudError('provider_unavailable', `process ${holder.split('_')[0]} holds ${path}`);
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

/** Removes whose process has ended, and whom this waiter has seen for too long: by its own time, whatever clocks say. */
async function removeOver(path: string, firstSeen: Map<string, number>): Promise<void> {
  for (const owner of await ownersOf(path)) {
    const since = firstSeen.get(owner) ?? performance.now();
    firstSeen.set(owner, since);
    const [pid = '', initialRows = ''] = owner.split('_');
    const isStuck = performance.now() - since > STUCK_MS;
    if (isStuck || (await initialRowsOf(Number(pid))) !== initialRows) await rm(join(path, owner), { force: true });
  }
}
const ownersOf = (path: string): Promise<string[]> => readdir(path).catch(() => []);

/** The next owner may be in it already, or have come and gone. */
async function removeEmpty(path: string): Promise<void> {
  await rmdir(path).catch((error: unknown) => {
    if (!isOneOf(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) throw error;
  });
}

/** Tells this life of a pid from a later one that got the same number; empty when nobody has it, or only a zombie. */
async function initialRowsOf(pid: number): Promise<string> {
  if (process.platform !== 'linux') {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => ({
      stdout: '',
    }));
    return stdout.replace(/\W+/g, '');
  }
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program stands in brackets and may hold anything; state and start time come 1 and 20 fields after it.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const startedAt = fields[18];
  return state === 'Z' || startedAt === undefined ? '' : `${await boot()}-${startedAt}`;
}

/** Start times count from the boot, and begin anew with it. */
async function boot(): Promise<string> {
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
}

const isOneOf = (error: unknown, ...codes: string[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException).code ?? '');
