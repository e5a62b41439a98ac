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
          count(*)::int as deployments, count(*) filter (where d.tier = 'free')::int as free_deployments
     from deployments d join deployment_runtimes r on r.deployment_id = d.id and r.deleted_at is null
    where d.tenant_id = $1`,
);

export interface TenantCounts {
  has_payment_method: boolean;
  deployments: number;
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

// The address that holds for codes now goes on doing so for a day, also when the address is changed again meanwhile; the
// change back to that very address ends it.
const KEEP_CODE_ADDRESS = statement(
  'tenant.keep_code_address',
  `with now_in_force as (
     select t.id, t.email as address,
            case when t.code_email_until > now() then t.code_email else coalesce(nullif(t.email, ''), u.email) end as holds
       from tenants t join users u on u.id = t.owner_id where t.id = $1
   )
   update tenants t
      set code_email = case when lower(f.holds) <> lower($2) then f.holds end,
          code_email_until = case when lower(f.holds) <> lower($2) then now() + interval '24 hours' end
     from now_in_force f where t.id = f.id
   returning f.holds, f.address, t.code_email_until as until`,
);
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

  /**
   * Call it before the address of the tenant becomes `next`: protection codes go on to the address that holds for them now, for
   * a day. Answers who has to know: that address and the one that the record showed.
   */
  async keepCodeAddress(id: number, next: string): Promise<{ told: string[]; until: Date | null }> {
    const [row] = await this.database.query<{ holds: string; address: string; until: Date | null }>(KEEP_CODE_ADDRESS, [
      id,
      next,
    ]);
    if (!row) return { told: [], until: null };
    const isOther = row.address !== '' && row.address.toLowerCase() !== row.holds.toLowerCase();
    return { told: isOther ? [row.holds, row.address] : [row.holds], until: row.until };
  }

  /** What the tenant's record says beside its own row. */
  async counts(id: number): Promise<TenantCounts> {
    const [counts] = await this.database.query<TenantCounts>(COUNTS, [id]);
    return counts ?? { has_payment_method: false, deployments: 0, free_deployments: 0 };
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
