import { randomBytes } from 'node:crypto';
import { linkSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { HostError } from './host-error.js';
import { startTimeOf, isAlive } from './process-table.js';
import { until } from './until.js';
import { readFileIfAnySync } from './private-file.js';

interface LockOwner {
  pid: number;
  born: string | null;
  nonce: string;
  /** What the owner tells others. JSON. */
  note?: unknown;
}

/** The living process that has a lock. */
export interface LockHolder {
  heldBy: number;
  /** What the process has written beside its pid, of whatever release it is. Undefined: nothing. */
  note?: unknown;
}

/**
 * A lock file that names its owner. The lock ends with its owner: if the process has ended, or its pid now belongs to another
 * process, a new owner takes the lock. Works between processes of one machine, and between callers in one process.
 */
export class FileLock {
  private constructor(
    private readonly path: string,
    private readonly owner: LockOwner,
  ) {}

  /** Takes the lock, or returns the living process that has it. `note`: what other processes can read meanwhile. */
  static tryAcquire(path: string, note?: unknown): FileLock | LockHolder {
    const mine: LockOwner = {
      pid: process.pid,
      born: startTimeOf(process.pid),
      nonce: randomBytes(8).toString('hex'),
      note,
    };
    if (create(path, mine)) return new FileLock(path, mine);
    const holder = FileLock.holderOf(path);
    if (holder) return holder;
    removeAbandoned(path);
    return create(path, mine) ? new FileLock(path, mine) : (FileLock.holderOf(path) ?? { heldBy: 0 });
  }

  /** The living process that has the lock, or null. Changes nothing. */
  static holderOf(path: string): LockHolder | null {
    const owner = readOwner(path);
    return owner && isHolding(owner) ? { heldBy: owner.pid, note: owner.note } : null;
  }

  /** Waits for the lock. Throws HostError when a living process has it for longer than `timeoutMs`. */
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
    throw new HostError(`Process ${attempt.heldBy} has locked ${path} for more than ${timeoutMs / 1000} seconds.`);
  }

  /** Releases the lock. Safe to repeat. */
  release(): void {
    if (readOwner(this.path)?.nonce === this.owner.nonce) unlinkIfAny(this.path);
  }
}

/** Unlike open, link creates the file together with its content, and fails when the file exists. */
function create(path: string, owner: LockOwner): boolean {
  const draft = `${path}.${owner.nonce}`;
  try {
    writeFileSync(draft, JSON.stringify(owner), { mode: 0o600 });
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    // Also an empty one, which a full disk leaves.
    rmSync(draft, { force: true });
  }
}

/**
 * Two processes can find the same dead owner. If both unlinked the file, the slower one would delete the new lock of the faster
 * one. So the deletion has its own lock, and reads the owner again under it. If a process dies in between, the inner lock is
 * abandoned too and deleted in the same way.
 */
function removeAbandoned(path: string): void {
  const inner = FileLock.tryAcquire(`${path}.removing`);
  if (!(inner instanceof FileLock)) return;
  try {
    // Ignores a missing file, because another process may create a new lock at this moment.
    const isThere = readFileIfAnySync(path) !== null;
    const owner = readOwner(path);
    if (isThere && !(owner && isHolding(owner))) unlinkIfAny(path);
  } finally {
    inner.release();
  }
}

function isHolding(owner: LockOwner): boolean {
  return isAlive(owner.pid) && startTimeOf(owner.pid) === owner.born;
}

/** Null when there is no lock, or when a crash of the machine left it empty. */
function readOwner(path: string): LockOwner | null {
  const text = readFileIfAnySync(path);
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
