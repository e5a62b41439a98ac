import type { Request } from 'express';
import passport from 'passport';
import { lookupOf } from '../../request-facts.js';
import { sessionCookie } from './session-cookie.js';

/** Authenticates a person by the cookie of a session. Passport calls it on an object of its own for each request. */
export class SessionCookieStrategy extends passport.Strategy {
  override authenticate(request: Request): void {
    const lookup = lookupOf(request);
    const token = sessionCookie(request, lookup.isSecure);
    if (token === null) return this.fail();
    lookup.ofSession(token).then(
      (caller) => (caller ? this.success(caller) : this.fail()),
      (error: unknown) => this.error(error),
    );
  }
}
