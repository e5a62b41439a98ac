import { Injectable } from '@nestjs/common';
import type { Plan, DeploymentId, TenantId } from '@libs/domain';
import { statement, Database } from '../database.js';
import type { Tenant } from '../organization/entities/tenant.entity.js';
import type { User } from '../organization/entities/user.entity.js';
import type { Deployment } from '../organization/entities/deployment.entity.js';
import type { Division } from '../organization/entities/division.entity.js';
import type { Environment } from '../organization/entities/environment.entity.js';

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

/** Names of the place of a deployment. */
export interface ContextNames extends Pick<Deployment, 'tenant_id' | 'division_id' | 'environment_id'> {
  division_name: Division['name'];
  environment_name: Environment['name'];
  deployment_id: Deployment['id'];
  deployment_name: Deployment['name'];
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
const CONTEXT = statement(
  'operator.deployment_place',
  `select d.tenant_id, d.division_id, v.name as division_name, d.environment_id, e.name as environment_name,
          d.id as deployment_id, d.name as deployment_name
     from deployments d join divisions v on v.id = d.division_id join environments e on e.id = d.environment_id
    where d.id = $1`,
);

/** Tenants of the installation. */
@Injectable()
export class TenantCommandsRepository {
  constructor(private readonly database: Database) {}

  /** All tenants, or those with an invoice agreement from this granter. */
  async list(agreement: string | null = null): Promise<TenantRow[]> {
    return this.database.query<TenantRow>(LIST, [agreement]);
  }

  async find(id: TenantId): Promise<TenantRow | null> {
    const [row] = await this.database.query<TenantRow>(FIND, [id]);
    return row ?? null;
  }

  async setPlan(id: TenantId, plan: Plan, overrides: object): Promise<void> {
    await this.database.execute(SET_PLAN, [id, plan, JSON.stringify(overrides)]);
  }

  /** The place of a deployment, by name. */
  async contextOfDeployment(deploymentId: DeploymentId): Promise<ContextNames | null> {
    const [row] = await this.database.query<ContextNames>(CONTEXT, [deploymentId]);
    return row ?? null;
  }
}
