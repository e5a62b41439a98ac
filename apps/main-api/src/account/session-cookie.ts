import { sessionCookieName } from '@libs/http';

/** Not readable by scripts, not sent with forms of other sites. Only for HTTPS where clients use HTTPS. */
const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Lax';

/** Returns the `set-cookie` header of a new session. No character of `token` needs quoting. */
export const sessionCookieOf = (token: string, seconds: number, isSecure: boolean): string =>
  `${sessionCookieName(isSecure)}=${token}; Max-Age=${seconds}; ${ATTRIBUTES}${isSecure ? '; Secure' : ''}`;

/** Returns the `set-cookie` header that removes the cookie from the browser. */
export const clearedCookie = (isSecure: boolean): string => sessionCookieOf('', 0, isSecure);
