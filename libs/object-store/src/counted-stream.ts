import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { ObjectStoreError } from './object-store-error.js';
import type { StoredObject } from './object-store.js';

/** Passes bytes on, and counts and hashes them. Fails with `too_large` above the limit. */
export class CountedStream extends Transform {
  private readonly hash = createHash('sha256');
  private bytes = 0;

  constructor(private readonly limitBytes: number) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.bytes += chunk.length;
    if (this.bytes > this.limitBytes)
      return callback(new ObjectStoreError('too_large', `the object is larger than ${this.limitBytes} bytes`));
    this.hash.update(chunk);
    callback(null, chunk);
  }

  /** Call it once, after the end. */
  get stored(): StoredObject {
    return { sha256: this.hash.digest('hex'), size_bytes: this.bytes };
  }
}
