import type { Plan } from '@libs/domain';
import { statement, type Database } from '../database.js';

/** What a tenant has bought. */
export interface BoughtPlan {
  plan: Plan;
  overrides: object;
}

const FIND = statement(
  'tenant_plan.find',
  'select plan, plan_overrides as overrides from tenants where id = $1 and deleted_at is null',
);

/** Plans of tenants, as the runtime reads them. */
export class TenantPlansRepository {
  constructor(private readonly database: Database) {}

  async find(tenantId: number): Promise<BoughtPlan | null> {
    const [row] = await this.database.query<BoughtPlan>(FIND, [tenantId]);
    return row ?? null;
  }
}
