import { Injectable } from '@nestjs/common';
import type { PermissionTree, SessionId, TenantId } from '@libs/domain';
import { statement, Database } from '../database.js';
import type { NumberedRow } from '../statement-batcher.js';
import { deploymentJson } from '../organization/deployment-json.js';
import {
  withDeployment,
  type AddressedRows,
  type AncestryRow,
  type WithDeployment,
  type WithDeploymentJson,
} from './callers.repository.js';
import type { Session } from '../organization/entities/session.entity.js';
import type { User } from '../organization/entities/user.entity.js';
import type { Tenant } from '../organization/entities/tenant.entity.js';
import type { Member } from '../organization/entities/member.entity.js';

/** A session with its user, the addressed tenant if the user is an active member of it, and the addressed rows. */
export interface SessionRow extends NumberedRow, AncestryRow, Pick<Session, 'id' | 'token_hash' | 'user_id'> {
  user_name: User['name'];
  email: string;
  is_verified: boolean;
  /** When the user set the current password, in microseconds. */
  password_stamp: number;
  /** Whether the last use was recorded more than a minute ago. The list of sessions needs no better precision. */
  is_stale: boolean;
  tenant_id: Tenant['id'] | null;
  tenant_name: Tenant['name'] | null;
  /** The division of a member who was invited into one division. */
  division_scope: Member['division_id'];
  trees: PermissionTree[];
}

/** `also`: further columns. */
const resolving = (
  also = '',
): string => `select i.n, s.id, s.token_hash, s.user_id, u.name as user_name, u.email, u.email_verified_at is not null as is_verified,
          (extract(epoch from u.password_changed_at) * 1000000)::bigint as password_stamp,
          s.last_seen_at < now() - interval '1 minute' as is_stale,
          t.id as tenant_id, t.name as tenant_name, m.division_id as division_scope,
          array(select r.permissions from member_roles mr join roles r on r.id = mr.role_id
                 where mr.tenant_id = m.tenant_id and mr.user_id = m.user_id) as trees,
          d.id as division_id, d.name as division_name, e.id as environment_id, e.name as environment_name,
          e.division_id as environment_division_id, p.id as deployment_id, p.name as deployment_name,
          p.environment_id as deployment_environment_id, p.cell, c.url as supervisor_url${also}
     from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
          with ordinality as i(session_id, tenant_id, division_id, environment_id, deployment_id, n)
     join sessions s on s.id = i.session_id and s.expires_at > now()
     join users u on u.id = s.user_id
     left join (members m join tenants t on t.id = m.tenant_id and t.deleted_at is null)
       on m.user_id = s.user_id and m.tenant_id = i.tenant_id and m.active
     left join (deployments p join deployment_runtimes pr on pr.deployment_id = p.id and pr.deleted_at is null)
       on p.id = i.deployment_id and p.tenant_id = t.id
     left join cells c on c.cell = p.cell
     left join environments e on e.id = coalesce(i.environment_id, p.environment_id) and e.tenant_id = t.id and e.deleted_at is null
     left join divisions d on d.id = coalesce(i.division_id, e.division_id) and d.tenant_id = t.id and d.deleted_at is null`;
const RESOLVE = statement('session.resolve', resolving());
const RESOLVE_WITH_DEPLOYMENT = statement(
  'session.resolve_with_deployment',
  resolving(`, ${deploymentJson('t.id')} as deployment`),
);
const TOUCH = statement('session.touch', 'update sessions set last_seen_at = now() where id = $1');

/** The signed-in caller and the addressed rows. Nothing is cached, so an ended session stops working at once. */
@Injectable()
export class SessionCallersRepository {
  constructor(private readonly database: Database) {}

  /** Requests of one turn of the event loop share the statement. */
  async resolve(id: SessionId, tenantId: TenantId | null, addressed: AddressedRows): Promise<SessionRow | null> {
    return (await this.database.batched<SessionRow>(RESOLVE, valuesOf(id, tenantId, addressed))) ?? null;
  }

  /** The same, and the addressed deployment in the same statement. */
  async resolveWithDeployment(
    id: SessionId,
    tenantId: TenantId | null,
    addressed: AddressedRows,
  ): Promise<(SessionRow & WithDeployment) | null> {
    const values = valuesOf(id, tenantId, addressed);
    const row = await this.database.batched<SessionRow & WithDeploymentJson>(RESOLVE_WITH_DEPLOYMENT, values);
    return row ? withDeployment(row) : null;
  }

  async touch(id: SessionId): Promise<void> {
    await this.database.execute(TOUCH, [id]);
  }
}

const valuesOf = (
  id: SessionId,
  tenantId: TenantId | null,
  { divisionId, environmentId, deploymentId }: AddressedRows,
): unknown[] => [id, tenantId, divisionId, environmentId, deploymentId];
