import type { Readable } from 'node:stream';

/** What was stored, as it was counted on the way in. */
export interface StoredObject {
  /** Hex. */
  sha256: string;
  size_bytes: number;
}

export interface SignedAddress {
  /** How long the address is good, in seconds. */
  seconds: number;
  /** Name of the file that a browser saves. */
  fileName: string;
}

/**
 * Where large things lie: archives of backups, diagnostic snapshots. Keys are paths of letters, digits, `-`, `_`, `.` and
 * `/`. An object is there wholly or not at all, and putting it again replaces it. Every method rejects with
 * ObjectStoreError.
 */
export abstract class ObjectStore {
  /** Stores a stream of at most `limitBytes`; resolves when the object is durable. */
  abstract put(key: string, body: Readable, limitBytes: number): Promise<StoredObject>;
  abstract get(key: string): Promise<Readable>;
  /** Removes one object; done when there is none. */
  abstract remove(key: string): Promise<void>;
  /** Removes everything whose key begins with `prefix`, which ends with `/`. */
  abstract removeBelow(prefix: string): Promise<void>;
  /** An address from which anybody may fetch the object for a while; null for a store that cannot be reached from outside. */
  abstract sign(key: string, address: SignedAddress): Promise<string | null>;
}
