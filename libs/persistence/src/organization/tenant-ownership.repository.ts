import { Injectable } from '@nestjs/common';
import type { TenantId, UserId } from '@libs/domain';
import { IsNull } from 'typeorm';
import { statement, Database } from '../database.js';
import { byName, byTime, paged, readPage, type PageOf, type PageRequest } from '../page-of.js';
import { foundTenant, type FoundedTenant, type NewTenant } from './tenant-founding.js';
import { Tenant } from './entities/tenant.entity.js';

/** A tenant as it appears in the list of a user's tenants. */
export interface TenantOfUser extends Pick<Tenant, 'id' | 'name' | 'plan' | 'created_at'> {
  /** Whether the user owns the tenant. */
  owner: boolean;
}

const OF_USER = `from members m join tenants t on t.id = m.tenant_id and t.deleted_at is null
   where m.user_id = $1 and m.active and ($2::bigint is null or t.id = $2)`;

const LIST = paged('tenant.list_of_user', {
  columns: 't.id, t.name, t.owner_id = m.user_id as owner, t.plan, t.created_at',
  rows: OF_USER,
  id: 't.id',
  keys: { name: byName('t.name'), created_at: byTime('t.created_at') },
});
const IS_OCCUPIED = statement(
  'tenant.occupied',
  `select exists(select 1 from deployments d join deployment_runtimes r on r.deployment_id = d.id and r.deleted_at is null
                  where d.tenant_id = $1) as occupied`,
);
// Requests look up the caller by tenant, so keys and sessions lose access with the commit. Open streams are notified.
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

/** Creation, deletion and ownership of tenants. */
@Injectable()
export class TenantOwnershipRepository {
  constructor(private readonly database: Database) {}

  /** Tenants in which the user is an active member. With `only`, just that tenant. */
  async listOf(userId: UserId, only: number | null, request: PageRequest): Promise<PageOf<TenantOfUser>> {
    return readPage<TenantOfUser>(this.database, LIST, [userId, only], request);
  }

  async countOwned(userId: UserId): Promise<number> {
    return this.database.repository(Tenant).countBy({ owner_id: userId, deleted_at: IsNull() });
  }

  async found(tenant: NewTenant): Promise<FoundedTenant> {
    return foundTenant((prepared, values) => this.database.query(prepared, values), tenant);
  }

  /** Whether the tenant still has a deployment. */
  async isOccupied(id: TenantId): Promise<boolean> {
    const [row] = await this.database.query<{ occupied: boolean }>(IS_OCCUPIED, [id]);
    return row?.occupied ?? false;
  }

  /** Deletes the tenant with all memberships, keys and pending requests. Its audit entries stay. */
  async delete(id: TenantId): Promise<void> {
    await this.database.execute(DELETE, [id]);
  }
}
