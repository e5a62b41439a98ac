import { createHash, createHmac, randomBytes } from 'node:crypto';

/**
 * `<session id>.<32 random bytes, base64url>`: the value of the session cookie. The id finds the row; only a SHA-256 of
 * the whole is stored, and the row of a signed-out session is gone.
 */
const PATTERN = /^([1-9]\d{0,15})\.[\w-]{43}$/;

/** A new cookie value for the session with this id. */
export const mintSession = (id: number): string => `${id}.${randomBytes(32).toString('base64url')}`;

/** The session id in a well-formed cookie value, or null. Says nothing about whether the session exists. */
export function sessionId(token: string): number | null {
  const id = Number(PATTERN.exec(token)?.[1] ?? 0);
  return id > 0 && id <= Number.MAX_SAFE_INTEGER ? id : null;
}

export const hashSession = (token: string): Buffer => createHash('sha256').update(token).digest();

/** What writes of the session have to show in `x-csrf-token`: made of the cookie, which other origins cannot read. */
export const csrfOf = (token: string): string => createHmac('sha256', token).update('csrf').digest('base64url');
