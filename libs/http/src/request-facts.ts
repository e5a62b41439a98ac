import { randomBytes } from 'node:crypto';
import type { Request } from 'express';
import type { Actor } from './access/actor.js';

/** What we know of a request beyond Express: its ids, and who acts once the guard has found out. */
export interface RequestFacts {
  /** 32 hex characters, fresh for each request; answered as `ld-request`. */
  readonly requestId: string;
  /** 32 hex characters: of an incoming `traceparent`, else the request id. */
  readonly traceId: string;
  actor: Actor | null;
  /** Asks the guard again, as if the request came now; rejects when it would be refused. */
  recheck: () => Promise<void>;
}

const FACTS = Symbol('landlord.facts');
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;
const NO_TRACE = '0'.repeat(32);

type Marked = Request & { [FACTS]?: RequestFacts };

/** The facts of a request; made at its first mention, which is the very first middleware. */
export function factsOf(request: Request): RequestFacts {
  const marked = request as Marked;
  return (marked[FACTS] ??= newFacts(request));
}

function newFacts(request: Request): RequestFacts {
  const requestId = randomBytes(16).toString('hex');
  const trace = TRACEPARENT.exec(String(request.headers.traceparent ?? ''))?.[1];
  return {
    requestId,
    traceId: trace && trace !== NO_TRACE ? trace : requestId,
    actor: null,
    recheck: async () => undefined,
  };
}

/** A trace id in UUID spelling: 8-4-4-4-12. */
export const asUuid = (traceId: string): string =>
  traceId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
