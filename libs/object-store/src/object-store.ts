import type { Readable } from 'node:stream';

/** The hash and the size of a stored object, computed during the upload. */
export interface StoredObject {
  /** Hexadecimal. */
  sha256: string;
  size_bytes: number;
}

export interface SignedAddress {
  /** Validity of the URL in seconds. */
  seconds: number;
  /** File name for the browser's download. */
  fileName: string;
}

/**
 * Stores large data: archives of backups, diagnostic snapshots. Keys are paths of letters, digits, `-`, `_`, `.` and `/`. An
 * object is stored completely or not at all. A second put replaces it. Every method rejects with ObjectStoreError.
 */
export abstract class ObjectStore {
  /** Stores a stream of at most `limitBytes`; resolves when the object is durable. */
  abstract put(key: string, body: Readable, limitBytes: number): Promise<StoredObject>;
  abstract get(key: string): Promise<Readable>;
  /** The first parts of all keys that have more than one part, each once, in the order of their characters. */
  abstract folders(): Promise<string[]>;
  /** Removes one object. Succeeds when there is none. */
  abstract remove(key: string): Promise<void>;
  /** Removes all objects whose key starts with `prefix`, which ends with `/`. */
  abstract removeBelow(prefix: string): Promise<void>;
  /** A URL from which any client can fetch the object for a limited time. Null for a store that is unreachable from outside. */
  abstract sign(key: string, address: SignedAddress): Promise<string | null>;
}
