import { PLANS, type Plan, type TenantId } from '@libs/domain';
import { statement } from '@libs/persistence';
import { TenantsRepository, type Tenant } from '@libs/persistence/organization';
import type { User } from '@libs/persistence/operator';
import { tenantContext } from './operator-journal.js';
import { existing, OperatorRefused } from './operator-refused.js';
import type { OperatorSession } from './operator-session.js';
import { withOverrides } from './plan-overrides.js';

/** A tenant as operator commands show it. */
export interface TenantRow extends Pick<
  Tenant,
  'id' | 'name' | 'plan' | 'plan_overrides' | 'plan_since' | 'created_at' | 'deleted_at'
> {
  owner_email: User['email'];
  members: number;
  divisions: number;
  deployments: number;
  /** The granter of the invoice agreement. `unknown` for a tenant that pays by invoice without an agreement. */
  invoice_agreement: string | null;
  keys: number;
}

const AGREEMENT = `coalesce((select a.granted_by from invoice_agreements a where a.tenant_id = t.id),
  (select 'unknown' from payment_methods p where p.tenant_id = t.id and p.provider = 'manual'))`;
const COLUMNS = `t.id, t.name, t.plan, t.plan_overrides, t.plan_since, u.email as owner_email, t.created_at, t.deleted_at,
  (select count(*)::int from members m where m.tenant_id = t.id and m.active) as members,
  (select count(*)::int from divisions d where d.tenant_id = t.id and d.deleted_at is null) as divisions,
  (select count(*)::int from deployments d join deployment_runtimes r on r.deployment_id = d.id and r.deleted_at is null
    where d.tenant_id = t.id) as deployments,
  ${AGREEMENT} as invoice_agreement,
  (select count(*)::int from api_keys k where k.tenant_id = t.id and k.expiry_at > now()) as keys`;

const LIST = statement(
  'operator.tenants',
  `select ${COLUMNS} from tenants t join users u on u.id = t.owner_id
    where $1::text is null or ${AGREEMENT} = $1
    order by t.id limit 1000`,
);
const FIND = statement(
  'operator.tenant',
  `select ${COLUMNS} from tenants t join users u on u.id = t.owner_id where t.id = $1`,
);
const SET_PLAN = statement(
  'operator.set_plan',
  `update tenants set plan = $2, plan_overrides = $3::jsonb, updated_at = now(),
          plan_since = case when plan = $2 then plan_since else now() end
    where id = $1`,
);
/** Tenants and their plans. */
export class TenantCommands {
  private readonly tenants: TenantsRepository;

  constructor(private readonly session: OperatorSession) {
    this.tenants = new TenantsRepository(session.database);
  }

  /** All tenants, or those with an invoice agreement from this granter. */
  list(agreement: string | null = null): Promise<TenantRow[]> {
    return this.session.database.query<TenantRow>(LIST, [agreement]);
  }

  /** @throws OperatorRefused */
  async get(id: TenantId): Promise<TenantRow> {
    const [tenant] = await this.session.database.query<TenantRow>(FIND, [id]);
    return existing(tenant, 'tenant', id, 'landlord ops tenants list');
  }

  /**
   * Sets the plan of the tenant from the next request on. Existing resources above the new limits stay. Overrides have the form
   * `name=value` and are added to the existing ones. `name=` removes one. @throws OperatorRefused
   */
  async setPlan(id: TenantId, plan: string, overrides: readonly string[]): Promise<TenantRow> {
    if (!isPlan(plan)) throw new OperatorRefused(`There is no plan ${plan}. The plans are: ${PLANS.join(', ')}`);
    return this.session.database.transaction(async () => {
      // Takes the same lock as requests that count against a limit, so that a limit does not change during a count.
      const lockedPlan = await this.tenants.findPlanForUpdate(id);
      const { plan: from, deleted_at } = await this.get(id);
      if (deleted_at) throw new OperatorRefused(`Tenant ${id} is deleted.`);
      const granted = withOverrides(lockedPlan?.plan_overrides ?? {}, overrides);
      await this.session.database.execute(SET_PLAN, [id, plan, JSON.stringify(granted)]);
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
