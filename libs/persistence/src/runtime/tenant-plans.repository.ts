import { Injectable } from '@nestjs/common';
import type { Plan, TenantId } from '@libs/domain';
import { statement, Database } from '../database.js';

/** The plan of a tenant. */
export interface BoughtPlan {
  plan: Plan;
  overrides: object;
}

const FIND = statement(
  'tenant_plan.find',
  'select plan, plan_overrides as overrides from tenants where id = $1 and deleted_at is null',
);

/** Plans of tenants, for the Supervisor. */
@Injectable()
export class TenantPlansRepository {
  constructor(private readonly database: Database) {}

  async find(tenantId: TenantId): Promise<BoughtPlan | null> {
    const [row] = await this.database.query<BoughtPlan>(FIND, [tenantId]);
    return row ?? null;
  }
}
