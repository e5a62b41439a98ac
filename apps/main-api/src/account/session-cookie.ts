import { sessionCookieName } from '@libs/http';

/** Never for scripts, never sent along by other sites' forms; for HTTPS alone where there is HTTPS. */
const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Lax';

/** `set-cookie` that begins a session; no text of `token` needs quoting. */
export const sessionCookieOf = (token: string, seconds: number, isSecure: boolean): string =>
  `${sessionCookieName(isSecure)}=${token}; Max-Age=${seconds}; ${ATTRIBUTES}${isSecure ? '; Secure' : ''}`;

/** `set-cookie` that makes the browser forget it. */
export const clearedCookie = (isSecure: boolean): string => sessionCookieOf('', 0, isSecure);
