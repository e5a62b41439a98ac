import { looksLikeSupervisorToken } from '@libs/domain';
import type { Request } from 'express';
import passport from 'passport';
import { HeaderAPIKeyStrategy } from 'passport-headerapikey';
import type { ResolvedCaller } from '../../ports.js';
import { lookupOf } from '../../request-facts.js';
import type { CredentialLookup } from '../credentials.js';
import { framework } from './framework.js';
import { API_KEY_HEADER, API_KEY_SCHEME, SESSION_SCHEME, SUPERVISOR_TOKEN_SCHEME, type StrategyName } from './names.js';
import { SessionCookieStrategy } from './session-cookie.strategy.js';

type Find = (lookup: CredentialLookup, secret: string) => Promise<ResolvedCaller | null>;

/**
 * Registers the strategies by name, once for a process. The framework creates an object from a strategy for each request, and only by
 * name: a strategy that was passed as an instance would be shared, and requests at the same time would get each other's caller.
 */
export function registerStrategies(): void {
  passport.framework(framework);
  passport.use(
    API_KEY_SCHEME,
    byHeader((lookup, secret) => lookup.ofKey(secret)),
  );
  passport.use(
    SUPERVISOR_TOKEN_SCHEME,
    byHeader((lookup, token) => lookup.ofToken(token)),
  );
  passport.use(SESSION_SCHEME, new SessionCookieStrategy());
}

/**
 * Chooses the one strategy of a request. A list of strategies would fall through: a request with a wrong key and a good cookie
 * would be signed in. An empty header is a wrong key, too.
 */
export function strategyOf({ headers }: Request): StrategyName {
  const secret = headers[API_KEY_HEADER];
  if (secret === undefined) return SESSION_SCHEME;
  return looksLikeSupervisorToken(String(secret)) ? SUPERVISOR_TOKEN_SCHEME : API_KEY_SCHEME;
}

/** The mixin of Nest passes its callback in another place than this strategy calls it, so the callback is our own. */
const byHeader = (find: Find): passport.Strategy =>
  new HeaderAPIKeyStrategy({ header: API_KEY_HEADER, prefix: '' }, true, (secret, done, request) => {
    find(lookupOf(request as Request), secret).then(
      (caller) => done(null, caller ?? undefined),
      (error: unknown) => done(error as Error),
    );
  });
