import { Injectable } from '@nestjs/common';
import type { ApiKeyId, DeploymentId, DivisionId, EnvironmentId } from '@libs/domain';
import { statement, Database } from '../database.js';
import type { NumberedRow } from '../statement-batcher.js';
import { deploymentJson, detailRowOf, type DeploymentJson } from '../organization/deployment-json.js';
import type { DeploymentDetailRow } from '../organization/deployment-rows.js';
import type { ApiKey } from '../organization/entities/api-key.entity.js';
import type { Tenant } from '../organization/entities/tenant.entity.js';
import type { User } from '../organization/entities/user.entity.js';
import type { Member } from '../organization/entities/member.entity.js';

/** The rows in the path of a request. Null for a level that the path does not contain. */
export interface AddressedRows {
  divisionId: DivisionId | null;
  environmentId: EnvironmentId | null;
  deploymentId: DeploymentId | null;
}

/** The addressed rows and their parents. */
export interface AncestryRow {
  division_id: DivisionId | null;
  division_name: string | null;
  environment_id: EnvironmentId | null;
  environment_name: string | null;
  environment_division_id: DivisionId | null;
  deployment_id: DeploymentId | null;
  deployment_name: string | null;
  deployment_environment_id: EnvironmentId | null;
  cell: string | null;
  supervisor_url: string | null;
}

/** The key, its owner, and the addressed rows with their parents, from one statement. */
export interface CallerRow
  extends
    NumberedRow,
    AncestryRow,
    Pick<ApiKey, 'id' | 'name' | 'secret_hash' | 'tenant_id' | 'user_id' | 'validate_ip' | 'allowed_ips'> {
  /** The secret from before the last rotation, while both work. */
  previous_secret_hash: Buffer | null;
  tenant_name: Tenant['name'];
  division_scope: ApiKey['division_id'];
  user_name: User['name'];
  is_verified: boolean;
  is_active: Member['active'] | null;
  is_expired: boolean;
  /** The permission tree of its role, as JSON text. A process that resolves many requests of one key parses it once. */
  permissions: string;
  /** The current permission trees of the roles of its owner, as JSON text. Null when the owner has the role of the key. */
  owner_trees: string | null;
  /** The division of the owner's membership. Null for the whole tenant. */
  owner_scope: Member['division_id'];
}

/** The addressed deployment, for a route that reads one. */
export interface WithDeployment {
  /** Null without a deployment of the tenant at this id. */
  deployment: DeploymentDetailRow | null;
}

/** The deployment as the statement returns it. */
export interface WithDeploymentJson {
  deployment: DeploymentJson | null;
}

/** The row with the deployment as the deployments themselves return it. A spread of so many members would be slow. */
export const withDeployment = <Row extends WithDeploymentJson>(row: Row): Omit<Row, 'deployment'> & WithDeployment =>
  Object.assign(row as Omit<Row, 'deployment'>, { deployment: row.deployment && detailRowOf(row.deployment) });

/** `also`: further columns. */
const resolving = (
  also = '',
): string => `select i.n, k.id, k.name, k.secret_hash, case when k.previous_until > now() then k.previous_secret_hash end as previous_secret_hash,
          k.tenant_id, t.name as tenant_name, k.division_id as division_scope, k.user_id, u.name as user_name, u.email_verified_at is not null as is_verified, m.active as is_active, k.validate_ip, k.allowed_ips, k.expiry_at <= now() as is_expired,
          r.permissions::text as permissions, m.division_id as owner_scope,
          case when not exists (select from member_roles mr
                                 where mr.tenant_id = m.tenant_id and mr.user_id = m.user_id and mr.role_id = k.role_id)
               then (select '[' || coalesce(string_agg(held.permissions::text, ',' order by held.id), '') || ']'
                       from member_roles mr join roles held on held.id = mr.role_id
                      where mr.tenant_id = m.tenant_id and mr.user_id = m.user_id) end as owner_trees,
          d.id as division_id, d.name as division_name,
          e.id as environment_id, e.name as environment_name, e.division_id as environment_division_id,
          p.id as deployment_id, p.name as deployment_name, p.environment_id as deployment_environment_id, p.cell,
          c.url as supervisor_url${also}
     from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
          with ordinality as i(key_id, division_id, environment_id, deployment_id, n)
     join api_keys k on k.id = i.key_id
     join tenants t on t.id = k.tenant_id and t.deleted_at is null
     join users u on u.id = k.user_id
     join roles r on r.id = k.role_id
     left join members m on m.tenant_id = k.tenant_id and m.user_id = k.user_id
     left join (deployments p join deployment_runtimes pr on pr.deployment_id = p.id and pr.deleted_at is null)
       on p.id = i.deployment_id and p.tenant_id = k.tenant_id
     left join cells c on c.cell = p.cell
     left join environments e on e.id = coalesce(i.environment_id, p.environment_id) and e.tenant_id = k.tenant_id and e.deleted_at is null
     left join divisions d on d.id = coalesce(i.division_id, e.division_id) and d.tenant_id = k.tenant_id and d.deleted_at is null`;
const RESOLVE = statement('caller.resolve', resolving());
const RESOLVE_WITH_DEPLOYMENT = statement(
  'caller.resolve_with_deployment',
  resolving(`, ${deploymentJson('k.tenant_id')} as deployment`),
);

/** The caller and the addressed rows. Nothing is cached, so a deleted key or a changed role takes effect at once. */
@Injectable()
export class CallersRepository {
  constructor(private readonly database: Database) {}

  /** Requests of one turn of the event loop share the statement. */
  async resolve(keyId: ApiKeyId, addressed: AddressedRows): Promise<CallerRow | null> {
    return (await this.database.batched<CallerRow>(RESOLVE, valuesOf(keyId, addressed))) ?? null;
  }

  /** The same, and the addressed deployment in the same statement. */
  async resolveWithDeployment(keyId: ApiKeyId, addressed: AddressedRows): Promise<(CallerRow & WithDeployment) | null> {
    const values = valuesOf(keyId, addressed);
    const row = await this.database.batched<CallerRow & WithDeploymentJson>(RESOLVE_WITH_DEPLOYMENT, values);
    return row ? withDeployment(row) : null;
  }
}

const valuesOf = (keyId: ApiKeyId, { divisionId, environmentId, deploymentId }: AddressedRows): unknown[] => [
  keyId,
  divisionId,
  environmentId,
  deploymentId,
];
