import { sessionId } from '@libs/domain';
import type { Request } from 'express';

/** Name of the session cookie where the API is reached by plain HTTP. */
export const SESSION_COOKIE = 'ld_session';

/**
 * Name of the session cookie where the API is reached by HTTPS. Browsers take a cookie with this prefix from this very host
 * only: another host below the same domain, such as the node of a customer, cannot set one.
 */
export const SECURE_SESSION_COOKIE = `__Host-${SESSION_COOKIE}`;

/** Whether clients reach this app by HTTPS, whatever the last hop before it speaks. */
export abstract class PublicScheme {
  abstract readonly isHttps: boolean;
}

/** Whether the request came by HTTPS: to us, to a proxy that is trusted, or by the public address. */
export const isSecureRequest = (request: Request, { isHttps }: PublicScheme): boolean => isHttps || request.secure;

/** The name of the cookie by which a session is known. */
export const sessionCookieName = (isSecure: boolean): string => (isSecure ? SECURE_SESSION_COOKIE : SESSION_COOKIE);

/** The well-formed value of the session cookie, or null. By HTTPS only the name with the prefix counts; of several, none. */
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
