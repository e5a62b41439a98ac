import type { TenantId, ApiKeyId, DivisionId, EnvironmentId, UserId } from '@libs/domain';
import type { Ancestry, Caller, CallerSession, Named } from '../ports.js';

/**
 * A handler requested a level, a key or a session that its route does not have. This is a bug of the route, never an
 * error of the caller.
 */
class NotAddressed extends Error {}

/** The caller, the resource, the request and the trace: the first argument of every use case. */
export class Actor {
  constructor(
    readonly caller: Caller,
    readonly ancestry: Ancestry,
    readonly traceId: string,
    readonly requestId: string,
    /** The row of the addressed deployment, only on routes with `@ReadsDeployment`. */
    readonly deploymentRow: object | null = null,
  ) {}

  get tenantId(): TenantId {
    return this.tenant.id;
  }

  get tenant(): Named<TenantId> {
    return addressed(this.caller.tenant, 'tenant');
  }

  /** The author of an audit record: the user, and the key that the user acts with. */
  get author(): { user: Named<UserId>; apiKey: Named<ApiKeyId> | null } {
    return { user: this.caller.user, apiKey: this.caller.key };
  }

  /** The context of an audit record: the resource of the path, and all levels above it. */
  get context(): Ancestry & { tenantId: TenantId } {
    return { tenantId: this.tenantId, ...this.ancestry };
  }

  /** The calling key. Only on routes that accept keys only. */
  get key(): Named<ApiKeyId> {
    return addressed(this.caller.key, 'key');
  }

  /** The calling session. Only on routes that accept sessions only. */
  get session(): CallerSession {
    return addressed(this.caller.session, 'session');
  }

  get division(): Named<DivisionId> {
    return addressed(this.ancestry.division, 'division');
  }

  get environment(): Named<EnvironmentId> {
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
