import type { JoinPolicy } from '@libs/domain';
import { statement, type Database } from '../../database.js';

/** The tenant that has claimed a domain, with its owner. */
export interface DomainHolder {
  id: number;
  name: string;
  joinPolicy: JoinPolicy;
  owner: { id: number; name: string; email: string };
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
// The oldest of the tenants that the user owns: it is the one of the sign-up.
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

/** Whose domain is whose, and who asks to come in by it. */
export class EmailDomainsRepository {
  constructor(private readonly database: Database) {}

  /** Nobody else claims the domain until the transaction ends; the unique index would refuse, this lets them wait. */
  async hold(domain: string): Promise<void> {
    await this.database.query(HOLD_DOMAIN, [domain]);
  }

  /** The tenant is held until the transaction ends. */
  async holder(domain: string): Promise<DomainHolder | null> {
    const [row] = await this.database.query<DomainHolder>(HOLDER, [domain]);
    return row ?? null;
  }

  /** The tenant of the user that has the domain from now on; null when the user owns none, or it has one already. */
  async claim(userId: number, domain: string): Promise<{ id: number; name: string } | null> {
    const [row] = await this.database.query<{ id: number; name: string }>(CLAIM, [userId, domain]);
    return row ?? null;
  }

  /** Asks for a user to be let in; the id of the request, or null when one waits already. */
  async ask(tenantId: number, userId: number): Promise<number | null> {
    const [row] = await this.database.query<{ id: number }>(ASK, [tenantId, userId]);
    return row?.id ?? null;
  }
}
