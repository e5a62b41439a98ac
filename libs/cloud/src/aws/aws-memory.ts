import { setTimeout as nap } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { CloudError } from '../cloud-error.js';
import type { ResourceKind } from '../cloud-provider.js';

/** A part that AWS has, or that a call may have created. */
export interface Part {
  /** The id of AWS. Null: a creation was begun, and its answer is not known. */
  id: string | null;
  /** Milliseconds since the creation was begun. */
  begunAgoMs: number;
}

/** What the driver remembers of a resource. */
export interface Remembered {
  /** The deletion was started. It never ends in another way. */
  isDeleting: boolean;
  parts: ReadonlyMap<string, Part>;
}

/** A name is unique for its kind within the installation, in all places. */
export interface MemoryKey {
  kind: ResourceKind;
  name: string;
}

/**
 * The memory of all processes about their resources at AWS. It is needed because AWS has no unique names for most resources, a
 * search by tags misses a resource that was just created, and some creations have no idempotency token.
 */
export interface AwsMemory {
  /**
   * Waits until no other call holds the resource, then runs the work. A holder that died loses the resource after a minute.
   * @throws CloudError `unavailable` after 30 seconds of waiting
   */
  exclusively<T>(key: MemoryKey, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;

  /** What is remembered, by name. A resource that was never begun is missing. */
  read(kind: ResourceKind, names: readonly string[]): Promise<Map<string, Remembered>>;

  /** Before the call that creates the part. */
  begin(key: MemoryKey, part: string): Promise<void>;

  /** After the call: the id, or null when AWS has certainly not created the part. */
  end(key: MemoryKey, part: string, id: string | null): Promise<void>;

  startDeletion(key: MemoryKey): Promise<void>;

  /** After everything is gone. */
  forget(key: MemoryKey): Promise<void>;
}

/** The rows behind the memory. */
export interface AwsRows {
  /** Takes the resource for `forMs`. False: somebody else holds it. */
  hold(key: MemoryKey, holder: string, forMs: number): Promise<boolean>;
  release(key: MemoryKey, holder: string): Promise<void>;
  find(kind: string, names: readonly string[]): Promise<Map<string, Remembered>>;
  putPart(key: MemoryKey, part: string, id: string | null): Promise<void>;
  removePart(key: MemoryKey, part: string): Promise<void>;
  markDeleting(key: MemoryKey): Promise<void>;
  empty(key: MemoryKey): Promise<void>;
}

const HOLD_MS = 60_000;
const PATIENCE_MS = 30_000;
const LOOK_MS = 100;

/** The memory in the database of Landlord. */
export class SharedAwsMemory implements AwsMemory {
  constructor(private readonly rows: AwsRows) {}

  async exclusively<T>(key: MemoryKey, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const holder = randomUUID();
    const deadline = Date.now() + PATIENCE_MS;
    while (!(await this.rows.hold(key, holder, HOLD_MS))) {
      if (Date.now() > deadline)
        throw new CloudError({ code: 'unavailable' }, `another call for the ${key.kind} ${key.name} takes too long`);
      await nap(LOOK_MS);
      signal?.throwIfAborted();
    }
    try {
      return await work();
    } finally {
      await this.rows.release(key, holder);
    }
  }

  read(kind: ResourceKind, names: readonly string[]): Promise<Map<string, Remembered>> {
    return this.rows.find(kind, names);
  }

  begin(key: MemoryKey, part: string): Promise<void> {
    return this.rows.putPart(key, part, null);
  }

  end(key: MemoryKey, part: string, id: string | null): Promise<void> {
    return id === null ? this.rows.removePart(key, part) : this.rows.putPart(key, part, id);
  }

  startDeletion(key: MemoryKey): Promise<void> {
    return this.rows.markDeleting(key);
  }

  forget(key: MemoryKey): Promise<void> {
    return this.rows.empty(key);
  }
}
