import { Injectable } from '@nestjs/common';
import type { TenantId } from '@libs/domain';
import { statement, Database } from '../database.js';
import type { Tenant } from './entities/tenant.entity.js';

/** A tenant and the number of its Free deployments. */
export interface FreeDeploymentsOf extends Pick<Tenant, 'plan' | 'plan_overrides'> {
  count: number;
}

const HOLD = statement(
  'free_deployments.hold',
  `select pg_advisory_xact_lock(hashtextextended('landlord.free_deployments', owner_id)) from tenants where id = $1`,
);
// One lookup per tenant: a user owns few tenants, and the deployments have an index by tenant.
const OF_OWNER = statement(
  'free_deployments.of_owner',
  `select t.plan, t.plan_overrides, free.count
     from tenants own
     join tenants t on t.owner_id = own.owner_id and t.deleted_at is null
    cross join lateral (
      select count(*)::int as count from deployments d
        join deployment_runtimes r on r.deployment_id = d.id and r.deleted_at is null
       where d.tenant_id = t.id and d.tier = 'free'
    ) free
    where own.id = $1 and free.count > 0`,
);

/** Free deployments of all tenants with the same owner. */
@Injectable()
export class FreeDeploymentsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Locks the count of the tenant's owner until the transaction ends. Call it under the lock of the tenant, always in this
   * order. Creations in two tenants of one owner then wait for each other, and the owner cannot change.
   */
  async lock(tenantId: TenantId): Promise<void> {
    await this.database.query(HOLD, [tenantId]);
  }

  /** Tenants of the same owner that have Free deployments. */
  async ofOwner(tenantId: TenantId): Promise<FreeDeploymentsOf[]> {
    return this.database.query<FreeDeploymentsOf>(OF_OWNER, [tenantId]);
  }
}
