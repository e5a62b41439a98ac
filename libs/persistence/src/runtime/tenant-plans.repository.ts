import { Injectable } from '@nestjs/common';
import type { Plan, TenantId } from '@libs/domain';
import { IsNull } from 'typeorm';
import { Database } from '../database.js';
import { Tenant } from '../organization/entities/tenant.entity.js';

/** The plan of a tenant. */
export interface BoughtPlan {
  plan: Plan;
  overrides: object;
}

/** Plans of tenants, for the Supervisor. */
@Injectable()
export class TenantPlansRepository {
  constructor(private readonly database: Database) {}

  async find(tenantId: TenantId): Promise<BoughtPlan | null> {
    const tenant = await this.database.repository(Tenant).findOneBy({ id: tenantId, deleted_at: IsNull() });
    return tenant && { plan: tenant.plan, overrides: tenant.plan_overrides };
  }
}
