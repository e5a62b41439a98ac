import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares in constant time. The hashes also hide the lengths. */
export function secretEqual(secret: string | Buffer, expected: string | Buffer): boolean {
  return timingSafeEqual(sha256(secret), sha256(expected));
}

function sha256(value: string | Buffer): Buffer {
  return createHash('sha256').update(value).digest();
}
