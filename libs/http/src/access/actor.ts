import type { Ancestry, Caller, Named } from '../ports.js';

/** A handler asked for a level that its route does not address: a bug of the route, never the caller's. */
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
    return this.caller.tenant.id;
  }

  get division(): Named {
    return addressed(this.ancestry.division, 'division');
  }

  get environment(): Named {
    return addressed(this.ancestry.environment, 'environment');
  }

  get deployment(): Named {
    return addressed(this.ancestry.deployment, 'deployment');
  }
}

function addressed(named: Named | null, level: string): Named {
  if (!named) throw new NotAddressed(`the route addresses no ${level}`);
  return named;
}
