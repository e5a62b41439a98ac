import type { Ancestry, Caller, CallerSession, Named } from '../ports.js';

/** A handler asked for what its route does not have: a level, a key, a session. A bug of the route, never the caller's. */
class NotAddressed extends Error {}

/** Who acts, where, in which request and trace: the first argument of every use case. */
export class Actor {
  constructor(
    readonly caller: Caller,
    readonly ancestry: Ancestry,
    readonly traceId: string,
    readonly requestId: string,
  ) {}

  get tenantId(): number {
    return this.tenant.id;
  }

  get tenant(): Named {
    return addressed(this.caller.tenant, 'tenant');
  }

  /** As the ledger names who acts: the user, and the key they act by. */
  get author(): { user: Named; apiKey: Named | null } {
    return { user: this.caller.user, apiKey: this.caller.key };
  }

  /** As the ledger names where it happens: what the path points at, and all above it. */
  get place(): Ancestry & { tenantId: number } {
    return { tenantId: this.tenantId, ...this.ancestry };
  }

  /** The calling key; only on routes that take keys alone. */
  get key(): Named {
    return addressed(this.caller.key, 'key');
  }

  /** The calling session; only on routes that take sessions alone. */
  get session(): CallerSession {
    return addressed(this.caller.session, 'session');
  }

  get division(): Named {
    return addressed(this.ancestry.division, 'division');
  }

  get environment(): Named {
    return addressed(this.ancestry.environment, 'environment');
  }

  get deployment(): NonNullable<Ancestry['deployment']> {
    return addressed(this.ancestry.deployment, 'deployment');
  }
}

function addressed<T>(thing: T | null, name: string): T {
  if (!thing) throw new NotAddressed(`the route has no ${name}`);
  return thing;
}
