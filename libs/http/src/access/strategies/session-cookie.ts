import { sessionId } from '@libs/domain';
import type { Request } from 'express';

/** Name of the session cookie when clients reach the API by plain HTTP. */
export const SESSION_COOKIE = 'ld_session';

/**
 * Name of the session cookie when clients reach the API by HTTPS. Browsers accept a cookie with this prefix only from
 * this exact host. So another host below the same domain, such as the node of a customer, cannot set it.
 */
export const SECURE_SESSION_COOKIE = `__Host-${SESSION_COOKIE}`;

/** Whether clients reach this app by HTTPS. The protocol of the last hop before the app does not matter. */
export abstract class PublicScheme {
  abstract readonly isHttps: boolean;
}

/** Whether the request came by HTTPS: to this process, to a trusted proxy, or through the public address. */
export const isSecureRequest = (request: Request, { isHttps }: PublicScheme): boolean => isHttps || request.secure;

/** Returns the name of the session cookie. */
export const sessionCookieName = (isSecure: boolean): string => (isSecure ? SECURE_SESSION_COOKIE : SESSION_COOKIE);

/**
 * Returns the well-formed value of the session cookie, or null. By HTTPS only the name with the prefix counts. Null
 * also for several cookies with the name.
 */
export function sessionCookie(request: Request, isSecure: boolean): string | null {
  const name = sessionCookieName(isSecure);
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim().split('='))
    .filter(([one]) => one === name)
    .map(([, value = '']) => value);
  const [value] = values;
  return value !== undefined && values.length === 1 && sessionId(value) !== null ? value : null;
}
