import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import type { Actor } from './access/actor.js';
import type { CredentialLookup } from './access/credentials.js';

/** Data of a request in addition to Express: its ids, and the caller after the guard has run. */
export interface RequestFacts {
  /** 32 hex characters, new for each request; sent as `ld-request`. */
  readonly requestId: string;
  /** 32 hex characters: from an incoming `traceparent`, else the request id. */
  readonly traceId: string;
  actor: Actor | null;
  /** Where the strategies of passport find the caller. Null until the guard has run, and for public routes. */
  lookup: CredentialLookup | null;
  /** Runs the checks of the guard again, as for a request at this time. Rejects when the guard refuses. */
  recheck: () => Promise<void>;
}

const FACTS = Symbol('landlord.facts');
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;
const NO_TRACE = '0'.repeat(32);

type Marked = Request & { [FACTS]?: RequestFacts };

/** Returns the facts of a request. The first middleware creates them with the first call. */
export function factsOf(request: Request): RequestFacts {
  const marked = request as Marked;
  return (marked[FACTS] ??= newFacts(request));
}

/** Where the caller of a request is looked up. @throws TypeError before the guard has run */
export function lookupOf(request: Request): CredentialLookup {
  const { lookup } = factsOf(request);
  if (!lookup) throw new TypeError('the guard has not seen this request');
  return lookup;
}

function newFacts(request: Request): RequestFacts {
  // Node generates UUIDs in advance: a tenth of the time of `randomBytes`.
  const requestId = randomUUID().replaceAll('-', '');
  const trace = TRACEPARENT.exec(String(request.headers.traceparent ?? ''))?.[1];
  return {
    requestId,
    traceId: trace && trace !== NO_TRACE ? trace : requestId,
    actor: null,
    lookup: null,
    recheck: async () => undefined,
  };
}

/** Returns a trace id in the format of a UUID: 8-4-4-4-12. */
export const asUuid = (traceId: string): string =>
  traceId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
