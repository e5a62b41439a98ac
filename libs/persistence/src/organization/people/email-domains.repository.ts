import { Injectable } from '@nestjs/common';
import type { JoinRequestId, TenantId, UserId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import type { Tenant } from '../entities/tenant.entity.js';

/** The tenant that has claimed a domain, with its owner. */
export interface DomainHolder extends Pick<Tenant, 'id' | 'name'> {
  joinPolicy: Tenant['join_policy'];
  owner: { id: UserId; name: string; email: string };
}

const HOLD_DOMAIN = statement(
  'email_domain.hold',
  `select pg_advisory_xact_lock(hashtextextended('landlord.email_domain:' || lower($1), 0))`,
);
const HOLDER = statement(
  'email_domain.holder',
  `select t.id, t.name, t.join_policy as "joinPolicy",
          jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email) as owner
     from tenants t join users u on u.id = t.owner_id
    where lower(t.email_domain) = lower($1) and t.deleted_at is null for no key update of t`,
);
// The oldest tenant that the user owns. The sign-up created this tenant.
const CLAIM = statement(
  'email_domain.claim',
  `update tenants set email_domain = lower($2), email_domain_verified_at = now(), updated_at = now()
    where id = (select id from tenants where owner_id = $1 and deleted_at is null order by id limit 1)
      and email_domain is null
   returning id, name`,
);
const ASK = statement(
  'email_domain.ask',
  `insert into join_requests (tenant_id, user_id, status) values ($1, $2, 'pending') on conflict do nothing returning id`,
);

/** Claims of domains, and requests to join a tenant through its domain. */
@Injectable()
export class EmailDomainsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Makes concurrent claims of the domain wait until the transaction ends. Without this lock the unique index would refuse
   * them.
   */
  async lock(domain: string): Promise<void> {
    await this.database.query(HOLD_DOMAIN, [domain]);
  }

  /** Locks the tenant until the transaction ends. */
  async holder(domain: string): Promise<DomainHolder | null> {
    return this.database.first<DomainHolder>(HOLDER, [domain]);
  }

  /**
   * Returns the tenant of the user that now has the domain. Null when the user owns no tenant, or the tenant already has a
   * domain.
   */
  async claim(userId: UserId, domain: string): Promise<{ id: TenantId; name: string } | null> {
    return this.database.first<{ id: TenantId; name: string }>(CLAIM, [userId, domain]);
  }

  /** Creates a join request for a user. Returns its id, or null when one is already pending. */
  async ask(tenantId: TenantId, userId: UserId): Promise<JoinRequestId | null> {
    return (await this.database.first<{ id: JoinRequestId }>(ASK, [tenantId, userId]))?.id ?? null;
  }
}
