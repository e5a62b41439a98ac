import { Injectable } from '@nestjs/common';
import type { DeploymentId, DivisionId, EnvironmentId, TenantId, UserId } from '@libs/domain';
import { longAgo } from '../../conditions.js';
import { statement, Database } from '../../database.js';
import { ProtectionCode } from '../entities/protection-code.entity.js';

interface Named<Id extends number> {
  id: Id;
  name: string;
}

/**
 * The resource that a code protects, with its parents. A level is null when it does not exist in the tenant, or not below its
 * parent.
 */
export interface ProtectedResource {
  tenant: Named<TenantId>;
  /**
   * The recipient of codes: the organization's address, or its owner's address when it has none. For a day after a change the
   * previous address.
   */
  address: string;
  /** The owner of the tenant, and the personal address of the owner. */
  owner: { id: UserId; email: string };
  division: Named<DivisionId> | null;
  environment: Named<EnvironmentId> | null;
  deployment: Named<DeploymentId> | null;
}

export interface ResourceIds {
  divisionId: DivisionId | null;
  environmentId: EnvironmentId | null;
  deploymentId: DeploymentId | null;
}

/** The only code of a resource and an action. */
export interface StoredCode {
  salt: Buffer;
  codeHash: Buffer;
}

interface ResourceRow {
  tenant_id: TenantId;
  tenant_name: string;
  address: string;
  owner_id: UserId;
  owner_email: string;
  division_id: DivisionId | null;
  division_name: string | null;
  environment_id: EnvironmentId | null;
  environment_name: string | null;
  deployment_id: DeploymentId | null;
  deployment_name: string | null;
}

const RESOURCE = statement(
  'protection_code.place',
  `select t.id as tenant_id, t.name as tenant_name, case when t.code_email_until > now() then t.code_email else coalesce(nullif(t.email, ''), u.email) end as address,
          u.id as owner_id, u.email as owner_email,
          d.id as division_id, d.name as division_name, e.id as environment_id, e.name as environment_name,
          p.id as deployment_id, p.name as deployment_name
     from tenants t
     join users u on u.id = t.owner_id
     left join divisions d on d.id = $2 and d.tenant_id = t.id and d.deleted_at is null
     left join environments e on e.id = $3 and e.division_id = d.id and e.deleted_at is null
     left join (deployments p join deployment_runtimes r on r.deployment_id = p.id and r.deleted_at is null)
       on p.id = $4 and p.environment_id = e.id
    where t.id = $1`,
);
// A newer code replaces the older one and resets its attempts, but not within `pauseSeconds`.
const REQUEST = statement(
  'protection_code.request',
  `insert into protection_codes as c (action_type, resource_id, tenant_id, salt, code_hash, expires_at)
   values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
   on conflict (action_type, resource_id) do update
     set salt = excluded.salt, code_hash = excluded.code_hash, attempts = 0, requested_at = now(),
         expires_at = excluded.expires_at, used_at = null
     where c.requested_at <= now() - make_interval(secs => $7)
   returning expires_at`,
);
const WAIT = statement(
  'protection_code.wait',
  `select extract(epoch from requested_at + make_interval(secs => $3) - clock_timestamp())::float8 as seconds
     from protection_codes where action_type = $1 and resource_id = $2`,
);
// Counts a guess before the comparison, under the row lock. So concurrent guesses run one after the other.
const ATTEMPT = statement(
  'protection_code.attempt',
  `update protection_codes set attempts = attempts + 1
    where action_type = $1 and resource_id = $2 and used_at is null and expires_at > clock_timestamp() and attempts < $3
   returning salt, code_hash as "codeHash"`,
);

/** One-time codes: one for each action on each resource. */
@Injectable()
export class ProtectionCodesRepository {
  constructor(private readonly database: Database) {}

  /** Reads the resources of the ids in one statement. */
  async resource(
    tenantId: TenantId,
    { divisionId, environmentId, deploymentId }: ResourceIds,
  ): Promise<ProtectedResource | null> {
    const [row] = await this.database.query<ResourceRow>(RESOURCE, [tenantId, divisionId, environmentId, deploymentId]);
    if (!row) return null;
    return {
      tenant: { id: row.tenant_id, name: row.tenant_name },
      address: row.address,
      owner: { id: row.owner_id, email: row.owner_email },
      division: named(row.division_id, row.division_name),
      environment: named(row.environment_id, row.environment_name),
      deployment: named(row.deployment_id, row.deployment_name),
    };
  }

  /** Stores a new code. Returns its expiry, or null when the last request was less than `pauseSeconds` ago. */
  async request(
    code: StoredCode & { actionType: string; resourceId: number; tenantId: TenantId },
    validSeconds: number,
    pauseSeconds: number,
  ): Promise<Date | null> {
    const action = [code.actionType, code.resourceId, code.tenantId];
    const values = [...action, code.salt, code.codeHash, validSeconds, pauseSeconds];
    return (await this.database.first<{ expires_at: Date }>(REQUEST, values))?.expires_at ?? null;
  }

  /** Seconds until another code can be requested. */
  async secondsToWaitUnscoped(actionType: string, resourceId: number, pauseSeconds: number): Promise<number> {
    const [row] = await this.database.query<{ seconds: number }>(WAIT, [actionType, resourceId, pauseSeconds]);
    return row?.seconds ?? 0;
  }

  /** Counts one guess. Returns the stored hash for the comparison, or null when no code is usable. */
  async attemptUnscoped(actionType: string, resourceId: number, maximumAttempts: number): Promise<StoredCode | null> {
    return this.database.first<StoredCode>(ATTEMPT, [actionType, resourceId, maximumAttempts]);
  }

  /** Marks the code as used. */
  async useUnscoped(actionType: string, resourceId: number): Promise<void> {
    const code = { action_type: actionType, resource_id: resourceId };
    await this.database.repository(ProtectionCode).update(code, { used_at: () => 'now()' });
  }

  /** Deletes codes that expired a day ago. */
  async forgetUnscoped(): Promise<void> {
    await this.database.repository(ProtectionCode).delete({ expires_at: longAgo('1 day') });
  }
}

const named = <Id extends number>(id: Id | null, name: string | null): Named<Id> | null =>
  id === null ? null : { id, name: name ?? '' };
