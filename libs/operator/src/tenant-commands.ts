import { PLANS, type Plan, type TenantId } from '@libs/domain';
import { TenantsRepository } from '@libs/persistence/organization';
import { TenantCommandsRepository, type TenantRow } from '@libs/persistence/operator';
import { tenantContext } from './operator-journal.js';
import { OperatorRefused } from './operator-refused.js';
import type { OperatorSession } from './operator-session.js';
import { withOverrides } from './plan-overrides.js';

/** Tenants and their plans. */
export class TenantCommands {
  private readonly rows: TenantCommandsRepository;
  private readonly tenants: TenantsRepository;

  constructor(private readonly session: OperatorSession) {
    this.rows = new TenantCommandsRepository(session.database);
    this.tenants = new TenantsRepository(session.database);
  }

  /** All tenants, or those with an invoice agreement from this granter. */
  list(agreement?: string): Promise<TenantRow[]> {
    return this.rows.list(agreement);
  }

  /** @throws OperatorRefused */
  async get(id: TenantId): Promise<TenantRow> {
    const tenant = await this.rows.find(id);
    if (!tenant) throw new OperatorRefused(`There is no tenant ${id}. List all tenants: landlord ops tenants list`);
    return tenant;
  }

  /**
   * Sets the plan of the tenant from the next request on. Existing resources above the new limits stay. Overrides have the form
   * `name=value` and are added to the existing ones. `name=` removes one. @throws OperatorRefused
   */
  async setPlan(id: TenantId, plan: string, overrides: readonly string[]): Promise<TenantRow> {
    if (!isPlan(plan)) throw new OperatorRefused(`There is no plan ${plan}. The plans are: ${PLANS.join(', ')}`);
    return this.session.database.transaction(async () => {
      // Takes the same lock as requests that count against a limit, so that a limit does not change during a count.
      const held = await this.tenants.findPlanForUpdate(id);
      const { plan: from, deleted_at } = await this.get(id);
      if (deleted_at) throw new OperatorRefused(`Tenant ${id} is deleted.`);
      const granted = withOverrides(held?.plan_overrides ?? {}, overrides);
      await this.rows.setPlan(id, plan, granted);
      const data = { from_plan: from, to_plan: plan, overrides: granted };
      await this.session.journal.record({
        verb: 'tenants set-plan',
        subject: `tenant ${id}`,
        detail: data,
        audit: { type: 'tenant_plan_changed', context: tenantContext(id), data },
      });
      return this.get(id);
    });
  }
}

const isPlan = (name: string): name is Plan => (PLANS as readonly string[]).includes(name);
