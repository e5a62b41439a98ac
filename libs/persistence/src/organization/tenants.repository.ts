import { statement, type Database } from '../database.js';
import { Tenant } from './tenant.entity.js';

const PLAN = `plan, plan_overrides as "planOverrides",
  exists(select 1 from payment_methods p where p.tenant_id = tenants.id) as "hasPaymentMethod"`;
const FIND_PLAN = statement('tenant.plan', `select ${PLAN} from tenants where id = $1`);
// A deletion that was waited for has taken the tenant away: nothing is made in it any more.
const LOCK = statement(
  'tenant.lock',
  `select ${PLAN} from tenants where id = $1 and deleted_at is null for no key update`,
);

const COUNTS = statement(
  'tenant.counts',
  `select exists(select 1 from payment_methods where tenant_id = $1) as has_payment_method,
          count(*) filter (where d.tier = 'free')::int as free_deployments
     from deployments d join deployment_runtimes r on r.deployment_id = d.id and r.deleted_at is null
    where d.tenant_id = $1`,
);

export interface TenantCounts {
  has_payment_method: boolean;
  free_deployments: number;
}

/** What a tenant has bought. */
export interface TenantPlan extends Pick<Tenant, 'plan' | 'planOverrides'> {
  hasPaymentMethod: boolean;
}

/** Members of a tenant that the tenant itself changes. */
export type TenantChanges = Partial<
  Pick<
    Tenant,
    | 'name'
    | 'description'
    | 'email'
    | 'protected'
    | 'joinPolicy'
    | 'blockExternalInvitations'
    | 'enforceDomainOnlyInvitations'
  >
>;

const EXTERNAL_ID = statement('tenant.external_id', 'select external_id from tenants where id = $1');

/** Tenants. */
export class TenantsRepository {
  constructor(private readonly database: Database) {}

  async get(id: number): Promise<Tenant> {
    return this.database.manager.getRepository(Tenant).findOneByOrFail({ id });
  }

  async update(id: number, changes: TenantChanges): Promise<void> {
    const repository = this.database.manager.getRepository(Tenant);
    await repository.update({ id }, { ...changes, updatedAt: () => 'now()' });
  }

  /** What the tenant's record says beside its own row. */
  async counts(id: number): Promise<TenantCounts> {
    const [counts] = await this.database.query<TenantCounts>(COUNTS, [id]);
    return counts ?? { has_payment_method: false, free_deployments: 0 };
  }

  async plan(id: number): Promise<TenantPlan | null> {
    const [plan] = await this.database.query<TenantPlan>(FIND_PLAN, [id]);
    return plan ?? null;
  }

  /** What roles in accounts of the tenant are opened with; empty for a tenant that is not there. */
  async externalId(id: number): Promise<string> {
    const [row] = await this.database.query<{ external_id: string }>(EXTERNAL_ID, [id]);
    return row?.external_id ?? '';
  }

  /** Holds the tenant until the transaction ends: what is counted against a limit cannot grow meanwhile. */
  async lock(id: number): Promise<TenantPlan | null> {
    const [plan] = await this.database.query<TenantPlan>(LOCK, [id]);
    return plan ?? null;
  }
}
