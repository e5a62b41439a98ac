import { randomBytes } from 'node:crypto';
import { linkSync, unlinkSync, writeFileSync } from 'node:fs';
import { LauncherError } from '../launcher-error.js';
import { initialRowsOf, isAlive } from '../processes/process-table.js';
import { until } from '../processes/until.js';
import { readFileIfAny } from './private-file.js';

interface LockOwner {
  pid: number;
  born: string | null;
  nonce: string;
}

/**
 * A lock that is a file naming its owner. It ends with its owner: a lock whose process is gone, or whose pid now belongs
 * to another process, is taken over. Good between processes of one machine, and between callers of one process.
 */
export class FileLock {
  private constructor(
    private readonly path: string,
    private readonly owner: LockOwner,
  ) {}

  /** Takes the lock, or names the pid of the living process that holds it. */
  static tryAcquire(path: string): FileLock | { heldBy: number } {
    const mine: LockOwner = {
      pid: process.pid,
      born: initialRowsOf(process.pid),
      nonce: randomBytes(8).toString('hex'),
    };
    if (create(path, mine)) return new FileLock(path, mine);
    const owner = readOwner(path);
    if (owner && isHolding(owner)) return { heldBy: owner.pid };
    removeAbandoned(path);
    return create(path, mine) ? new FileLock(path, mine) : { heldBy: readOwner(path)?.pid ?? 0 };
  }

  /** Waits for the lock. Throws LauncherError when a living process holds it for longer than `timeoutMs`. */
  static async acquire(path: string, timeoutMs: number): Promise<FileLock> {
    const attempt: { lock?: FileLock; heldBy?: number } = {};
    const taken = await until(
      () => {
        const result = FileLock.tryAcquire(path);
        if (!(result instanceof FileLock)) attempt.heldBy = result.heldBy;
        else attempt.lock = result;
        return attempt.lock !== undefined;
      },
      { timeoutMs },
    );
    if (taken && attempt.lock) return attempt.lock;
    throw new LauncherError(`Process ${attempt.heldBy} holds ${path} for more than ${timeoutMs / 1000} seconds.`);
  }

  /** Gives the lock back. Safe to repeat. */
  release(): void {
    if (readOwner(this.path)?.nonce === this.owner.nonce) unlinkIfAny(this.path);
  }
}

/** Link, unlike open, shows the file to others only with its content, and fails when it exists. */
function create(path: string, owner: LockOwner): boolean {
  const draft = `${path}.${owner.nonce}`;
  writeFileSync(draft, JSON.stringify(owner), { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    unlinkSync(draft);
  }
}

/**
 * Two processes may find the same dead owner; if both unlinked, the slower one would remove the lock that the faster one
 * has just made. So removal has a lock of its own, and the owner is read again under it. A process that dies in between
 * leaves that inner lock behind, which is abandoned in turn and removed the same way.
 */
function removeAbandoned(path: string): void {
  const inner = FileLock.tryAcquire(`${path}.removing`);
  if (!(inner instanceof FileLock)) return;
  try {
    // A missing file is left alone: whoever comes first may make a new lock at this moment.
    const isThere = readFileIfAny(path) !== null;
    const owner = readOwner(path);
    if (isThere && !(owner && isHolding(owner))) unlinkIfAny(path);
  } finally {
    inner.release();
  }
}

function isHolding(owner: LockOwner): boolean {
  return isAlive(owner.pid) && initialRowsOf(owner.pid) === owner.born;
}

/** Null when there is no lock, or one that a crash of the machine left without content. */
function readOwner(path: string): LockOwner | null {
  const text = readFileIfAny(path);
  try {
    return text ? (JSON.parse(text) as LockOwner) : null;
  } catch {
    return null;
  }
}

function unlinkIfAny(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
