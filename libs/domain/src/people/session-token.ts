import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { SessionId } from '../ids.js';

/**
 * `<session id>.<32 random bytes, base64url>`: the value of the session cookie. The id finds the row. The database
 * stores only the SHA-256 of the whole value, and sign-out deletes the row.
 */
const PATTERN = /^([1-9]\d{0,15})\.[\w-]{43}$/;

/** Returns a new cookie value for the session with this id. */
export const mintSession = (id: SessionId): string => `${id}.${randomBytes(32).toString('base64url')}`;

/** Returns the session id in a well-formed cookie value, or null. Does not check whether the session exists. */
export function sessionId(token: string): SessionId | null {
  const id = Number(PATTERN.exec(token)?.[1] ?? 0);
  return id > 0 && id <= Number.MAX_SAFE_INTEGER ? id : null;
}

export const hashSession = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * Returns the token that writes of the session must send in `x-csrf-token`. It is derived from the cookie, which other
 * origins cannot read.
 */
export const csrfOf = (token: string): string => createHmac('sha256', token).update('csrf').digest('base64url');
