import { Injectable } from '@nestjs/common';
import { canonicalMailbox, type TenantId } from '@libs/domain';
import { statement, Database } from '../database.js';
import type { NumberedRow } from '../statement-batcher.js';
import { Tenant } from './entities/tenant.entity.js';

const PLAN = `plan, plan_overrides,
  exists(select 1 from payment_methods p where p.tenant_id = tenants.id) as has_payment_method`;
// `offset 0` forces a lookup of each tenant by its key. Otherwise a hundred requests at once read the whole table.
const FIND_PLAN = statement(
  'tenant.plan',
  `select i.n, found.* from unnest($1::bigint[]) with ordinality as i(id, n)
     cross join lateral (select ${PLAN} from tenants where id = i.id offset 0) found`,
);
// If the statement waited for a deletion, it finds no tenant. So no caller creates rows in a deleted tenant.
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

/** The plan of a tenant. */
export interface TenantPlan extends Pick<Tenant, 'plan' | 'plan_overrides'> {
  has_payment_method: boolean;
}

/** Members that the tenant itself can change. */
export type TenantChanges = Partial<
  Pick<
    Tenant,
    | 'name'
    | 'description'
    | 'email'
    | 'protected'
    | 'join_policy'
    | 'block_external_invitations'
    | 'enforce_domain_only_invitations'
  >
>;

const CODE_ADDRESS = statement(
  'tenant.code_address',
  `select nullif(t.email, '') as address,
          case when t.code_email_until > now() then t.code_email else coalesce(nullif(t.email, ''), u.email) end as holds
     from tenants t join users u on u.id = t.owner_id where t.id = $1 for no key update of t`,
);
// The current address for codes stays valid for a day, even if the address changes again during that day. A change back to that
// address ends the period.
const KEEP_CODE_ADDRESS = statement(
  'tenant.keep_code_address',
  `update tenants set code_email = $2::text, code_email_until = case when $2::text is not null then now() + interval '24 hours' end
    where id = $1
   returning code_email_until as until`,
);

/** Tenants. */
@Injectable()
export class TenantsRepository {
  constructor(private readonly database: Database) {}

  async get(id: TenantId): Promise<Tenant> {
    return this.database.repository(Tenant).findOneByOrFail({ id });
  }

  async update(id: TenantId, changes: TenantChanges): Promise<void> {
    await this.database.repository(Tenant).update({ id }, { ...changes, updated_at: () => 'now()' });
  }

  /**
   * Call it before the address of the tenant becomes `next`. Protection codes continue to use the current address for a day.
   * Returns the addresses to notify: the current address for codes, and the address in the tenant's record.
   */
  async keepCodeAddress(id: TenantId, next: string | null): Promise<{ addresses: string[]; until: Date | null }> {
    const [row] = await this.database.query<{ holds: string; address: string | null }>(CODE_ADDRESS, [id]);
    if (!row) return { addresses: [], until: null };
    const previousAddress = next !== null && isSameMailbox(row.holds, next) ? null : row.holds;
    const [period] = await this.database.query<{ until: Date | null }>(KEEP_CODE_ADDRESS, [id, previousAddress]);
    const others = row.address === null || isSameMailbox(row.address, row.holds) ? [] : [row.address];
    return { addresses: [row.holds, ...others], until: period?.until ?? null };
  }

  /** The parts of the tenant's record that are stored outside its row. */
  async counts(id: TenantId): Promise<TenantCounts> {
    const [counts] = await this.database.query<TenantCounts>(COUNTS, [id]);
    return counts ?? { has_payment_method: false, deployments: 0, free_deployments: 0 };
  }

  async plan(id: TenantId): Promise<TenantPlan | null> {
    return (await this.database.batched<TenantPlan & NumberedRow>(FIND_PLAN, [id])) ?? null;
  }

  /** The external id for roles in cloud accounts of the tenant. Empty when the tenant does not exist. */
  async externalId(id: TenantId): Promise<string> {
    const tenant = await this.database.repository(Tenant).findOne({ select: { external_id: true }, where: { id } });
    return tenant?.external_id ?? '';
  }

  /** Locks the tenant until the transaction ends, so that no other transaction can pass a limit at the same time. */
  async findPlanForUpdate(id: TenantId): Promise<TenantPlan | null> {
    return this.database.first<TenantPlan>(LOCK, [id]);
  }
}

const isSameMailbox = (one: string, other: string): boolean => canonicalMailbox(one) === canonicalMailbox(other);
