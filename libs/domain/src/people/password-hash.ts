import { randomBytes, scrypt, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { isSameHash } from './api-key-format.js';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** The cost of scrypt: N is a power of two, and the memory is 128 * N * r bytes. */
export interface PasswordCost {
  N: number;
  r: number;
  p: number;
}

/**
 * About 32 MiB and 0.1 seconds. The cost can be raised here: older hashes still verify, and are replaced at the next
 * sign-in.
 */
export const PASSWORD_COST: PasswordCost = { N: 2 ** 15, r: 8, p: 1 };
/** The cost of hashes that do not contain it: the seed of the first release created them. */
const UNNAMED_COST: PasswordCost = { N: 2 ** 14, r: 8, p: 1 };
const SALT_BYTES = 16;
const KEY_BYTES = 32;

interface StoredHash {
  cost: PasswordCost;
  salt: Buffer;
  key: Buffer;
}

/** `scrypt$N=32768,r=8,p=1$<salt>$<key>`, base64url. Hashes of the first release have no cost in the middle. */
const PATTERN = /^scrypt\$(?:N=(\d{1,8}),r=(\d{1,3}),p=(\d{1,3})\$)?([\w-]{22,})\$([\w-]{43})$/;

/** The result of a password check. */
export interface PasswordVerdict {
  isRight: boolean;
  /** The password is right, but its hash has another cost than new hashes: replace the hash. */
  isOutdated: boolean;
}

/** Returns the hash to store for a password. Slow on purpose: about 0.1 seconds of one core. */
export async function hashPassword(password: string, cost = PASSWORD_COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await keyOf(password, salt, cost);
  return `scrypt$N=${cost.N},r=${cost.r},p=${cost.p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

/**
 * Whether this is the password of the hash `stored`. Takes the same time without a readable hash (also null) and with
 * an older, cheaper hash. So the duration does not reveal whether an account exists. `cost`: the cost of new hashes.
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
  cost = PASSWORD_COST,
): Promise<PasswordVerdict> {
  const hash = stored === null ? null : parse(stored);
  if (!hash) {
    await keyOf(password, randomBytes(SALT_BYTES), cost);
    return { isRight: false, isOutdated: false };
  }
  const key = await keyOf(password, hash.salt, hash.cost);
  await makeUpFor(password, hash, cost);
  const isRight = isSameHash(key, hash.key);
  return { isRight, isOutdated: isRight && !isSameCost(hash.cost, cost) };
}

/** Spends the time that an older hash saves. N + N + 2N + … is the current N, because all are powers of two. */
async function makeUpFor(password: string, { cost, salt }: StoredHash, current: PasswordCost): Promise<void> {
  for (let N = cost.N; N < current.N; N *= 2) await keyOf(password, salt, { ...cost, N });
}

function parse(stored: string): StoredHash | null {
  const match = PATTERN.exec(stored);
  if (!match) return null;
  const [, N, r, p, salt = '', key = ''] = match;
  const cost = N === undefined ? UNNAMED_COST : { N: Number(N), r: Number(r), p: Number(p) };
  return { cost, salt: Buffer.from(salt, 'base64url'), key: Buffer.from(key, 'base64url') };
}

const isSameCost = (a: PasswordCost, b: PasswordCost): boolean => a.N === b.N && a.r === b.r && a.p === b.p;

/** Twice the memory that the work needs: node refuses a limit that fits exactly. */
const keyOf = (password: string, salt: Buffer, { N, r, p }: PasswordCost): Promise<Buffer> =>
  derive(password.normalize('NFKC'), salt, KEY_BYTES, { N, r, p, maxmem: 256 * N * r });
