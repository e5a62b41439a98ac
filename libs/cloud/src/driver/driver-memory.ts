import { setTimeout as nap } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { CloudError } from '../cloud-error.js';
import type { ResourceKind, ResourceTags } from '../cloud-provider.js';

/** A part that the cloud has, or that a call may have created. */
export interface Part {
  /** The id at the cloud. Null: a creation was begun, and its answer is not known. */
  id: string | null;
  /** Milliseconds since the creation was begun. */
  begunAgoMs: number;
}

/** What the driver remembers of a resource. */
export interface Remembered {
  /** The deletion was started. It never ends in another way. */
  isDeleting: boolean;
  /** The owner. Null: no call has asked for the resource. */
  tags: ResourceTags | null;
  parts: ReadonlyMap<string, Part>;
}

/** A name is unique for its kind within the installation, in all places. */
export interface MemoryKey {
  kind: ResourceKind;
  name: string;
}

/**
 * The memory of all processes about their resources at a cloud. AWS has no unique names for most resources, a search by tags misses
 * a resource that was just created, and some creations have no idempotency token. Google works on after its answer, and only its
 * operation says how the work ended.
 */
export interface DriverMemory {
  /**
   * Waits until no other call holds the resource, then runs the work. A holder that died loses the resource after a minute.
   * @param tags The owner, which is remembered. Null: it stays as it is.
   * @throws CloudError `unavailable` after 30 seconds of waiting
   */
  exclusively<T>(key: MemoryKey, tags: ResourceTags | null, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;

  /** What is remembered, by name. A resource that was never begun is missing. */
  read(kind: ResourceKind, names: readonly string[]): Promise<Map<string, Remembered>>;

  /** Before the call that creates the part. */
  begin(key: MemoryKey, part: string): Promise<void>;

  /** After the call: the id, or null when the cloud has certainly not created the part. */
  end(key: MemoryKey, part: string, id: string | null): Promise<void>;

  startDeletion(key: MemoryKey): Promise<void>;

  /** After everything is gone. */
  forget(key: MemoryKey): Promise<void>;
}

/** The rows behind the memory. */
export interface DriverRows {
  /** Takes the resource for `forMs`, also again. False: somebody else holds it. */
  hold(key: MemoryKey, holder: string, forMs: number, tags: ResourceTags | null): Promise<boolean>;
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
export class SharedDriverMemory implements DriverMemory {
  constructor(private readonly rows: DriverRows) {}

  async exclusively<T>(
    key: MemoryKey,
    tags: ResourceTags | null,
    work: () => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const holder = randomUUID();
    const hold = (): Promise<boolean> => this.rows.hold(key, holder, HOLD_MS, tags);
    const deadline = Date.now() + PATIENCE_MS;
    while (!(await hold())) {
      if (Date.now() > deadline)
        throw new CloudError({ code: 'unavailable' }, `another call for the ${key.kind} ${key.name} takes too long`);
      await nap(LOOK_MS);
      signal?.throwIfAborted();
    }
    // Work with many calls waits for their turns, and can take longer than a hold.
    const renewing = setInterval(() => void hold().catch(() => false), HOLD_MS / 3);
    try {
      return await work();
    } finally {
      clearInterval(renewing);
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

export const NOTHING: Remembered = { isDeleting: false, tags: null, parts: new Map() };

/** The names of the resources by the id of this part. */
export function idsOf(memories: ReadonlyMap<string, Remembered>, part: string): Map<string, string> {
  const ids = [...memories].map(([name, { parts }]) => [parts.get(part)?.id ?? '', name] as const);
  return new Map(ids.filter(([id]) => id !== ''));
}
