import { Injectable } from '@nestjs/common';
import { Tenant } from '../organization/entities/tenant.entity.js';
import { IsNull } from 'typeorm';
import type { Plan, TenantId } from '@libs/domain';
import { Database } from '../database.js';

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
