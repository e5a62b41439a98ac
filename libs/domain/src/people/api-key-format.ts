import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
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
  const id = decodeInteger(match[1], BASE32);
  return id > 0n && id <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(id) : null;
}

export const hashApiKey = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Compares in constant time. */
export const isSameHash = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

function randomDigits(): string {
  const digits = encodeInteger(BigInt(`0x${randomBytes(32).toString('hex')}`), BASE62);
  return digits.padStart(RANDOM_DIGITS, BASE62[0]);
}

function checksum(body: string): string {
  const digest = createHash('sha256').update(body).digest();
  const digits = encodeInteger(BigInt(digest.readUInt32BE(0)), BASE62);
  return digits.padStart(CHECKSUM_DIGITS, BASE62[0]);
}

function encodeInteger(value: bigint, alphabet: string): string {
  const base = BigInt(alphabet.length);
  let digits = '';
  for (let rest = value; rest > 0n; rest /= base) digits = alphabet.charAt(Number(rest % base)) + digits;
  return digits || alphabet.charAt(0);
}

function decodeInteger(digits: string, alphabet: string): bigint {
  const base = BigInt(alphabet.length);
  return [...digits].reduce((value, digit) => value * base + BigInt(alphabet.indexOf(digit)), 0n);
}
