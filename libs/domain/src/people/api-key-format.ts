import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApiKeyId } from '../ids.js';

/**
 * `ld_<key id, base32>_<32 random bytes, base62>_<checksum>` (C-6.1). The id finds the row. The checksum rejects typing
 * errors without a database query and makes secret scanners precise. The database stores only the SHA-256 of the whole
 * key.
 */
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 32 bytes need 43 digits of base 62. */
const RANDOM_DIGITS = 43;
const CHECKSUM_DIGITS = 6;
const PATTERN = new RegExp(`^ld_([a-z2-7]{1,11})_([0-9A-Za-z]{${RANDOM_DIGITS}})_([0-9A-Za-z]{${CHECKSUM_DIGITS}})$`);

/** Returns a new secret for the key with this id. The API shows it once. */
export function mintApiKey(id: ApiKeyId): string {
  const body = `ld_${encodeInteger(BigInt(id), BASE32)}_${randomDigits()}`;
  return `${body}_${checksum(body)}`;
}

/** Returns the key id in a well-formed secret, or null. Does not check whether the key exists. */
export function apiKeyId(secret: string): ApiKeyId | null {
  const match = PATTERN.exec(secret);
  if (!match?.[1] || match[3] !== checksum(secret.slice(0, secret.lastIndexOf('_')))) return null;
  const id = decodeId(match[1]);
  return id > 0 && Number.isSafeInteger(id) ? id : null;
}

export const hashApiKey = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** Compares in constant time. */
export const isSameHash = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

function randomDigits(): string {
  const digits = encodeInteger(BigInt(`0x${randomBytes(32).toString('hex')}`), BASE62);
  return digits.padStart(RANDOM_DIGITS, BASE62[0]);
}

function checksum(body: string): string {
  let rest = hash('sha256', body, 'buffer').readUInt32BE(0);
  let digits = '';
  // Every request with a key computes this. Numbers of 32 bits are much faster than BigInt.
  for (; digits.length < CHECKSUM_DIGITS; rest = Math.floor(rest / BASE62.length))
    digits = BASE62.charAt(rest % BASE62.length) + digits;
  return digits;
}

function encodeInteger(value: bigint, alphabet: string): string {
  const base = BigInt(alphabet.length);
  let digits = '';
  for (let rest = value; rest > 0n; rest /= base) digits = alphabet.charAt(Number(rest % base)) + digits;
  return digits || alphabet.charAt(0);
}

/** Above 2^53 the result is not exact, and no safe integer. */
function decodeId(digits: string): number {
  let id = 0;
  for (const digit of digits) id = id * BASE32.length + BASE32.indexOf(digit);
  return id;
}
