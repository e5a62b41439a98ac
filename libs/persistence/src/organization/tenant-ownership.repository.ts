import type { Plan } from '@libs/domain';
import { statement, type Database } from '../database.js';
import { readPage, type PageOf, type PageRequest } from '../page-of.js';
import { foundTenant, type FoundedTenant, type NewTenant } from './tenant-founding.js';

/** A tenant, as it stands in the list of a user's tenants. */
export interface TenantOfUser {
  id: number;
  name: string;
  /** Whether the user owns it. */
  owner: boolean;
  plan: Plan;
  created_at: Date;
}

const OF_USER = `from members m join tenants t on t.id = m.tenant_id and t.deleted_at is null
   where m.user_id = $1 and m.active and ($2::bigint is null or t.id = $2)`;

const LIST = statement(
  'tenant.of_user',
  `select t.id, t.name, t.owner_id = m.user_id as owner, t.plan, t.created_at, count(*) over ()::int as total ${OF_USER}
    order by t.id desc limit $3 offset $4`,
);
const COUNT = statement('tenant.count_of_user', `select count(*)::int as count ${OF_USER}`);
const COUNT_OWNED = statement(
  'tenant.count_owned',
  'select count(*)::int as count from tenants where owner_id = $1 and deleted_at is null',
);
const IS_OCCUPIED = statement(
  'tenant.occupied',
  `select exists(select 1 from deployments d join deployment_runtimes r on r.deployment_id = d.id and r.deleted_at is null
                  where d.tenant_id = $1) as occupied`,
);
// Callers are found by the tenant, so keys and sessions lose it with the commit; streams that are open are told.
const DELETE = statement(
  'tenant.delete',
  `with uninvited as (
     delete from invitations where tenant_id = $1 and status = 'pending'
   ), declined as (
     update join_requests set status = 'rejected', answered_at = now() where tenant_id = $1 and status = 'pending'
   ), released as (
     delete from members where tenant_id = $1
   ), disabled as (
     delete from api_keys where tenant_id = $1
   )
   update tenants set deleted_at = now(), updated_at = now() where id = $1
   returning pg_notify('landlord_access', 'tenant ' || id)`,
);

/** How tenants come, go, and belong to users. */
export class TenantOwnershipRepository {
  constructor(private readonly database: Database) {}

  /** Tenants that a user is an active member of; with `only`, that one. */
  async listOf(userId: number, only: number | null, request: PageRequest): Promise<PageOf<TenantOfUser>> {
    return readPage<TenantOfUser>(this.database, { list: LIST, count: COUNT }, [userId, only], request);
  }

  async countOwned(userId: number): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(COUNT_OWNED, [userId]);
    return row?.count ?? 0;
  }

  async found(tenant: NewTenant): Promise<FoundedTenant> {
    return foundTenant((prepared, values) => this.database.query(prepared, values), tenant);
  }

  /** Whether any deployment of the tenant still exists. */
  async isOccupied(id: number): Promise<boolean> {
    const [row] = await this.database.query<{ occupied: boolean }>(IS_OCCUPIED, [id]);
    return row?.occupied ?? false;
  }

  /** Ends the tenant with all memberships, keys and what waits for an answer. Its audit entries stay. */
  async delete(id: number): Promise<void> {
    await this.database.execute(DELETE, [id]);
  }
}
