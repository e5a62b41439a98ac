import { Injectable } from '@nestjs/common';
import type { DeploymentStatus, DeploymentId, EnvironmentId, Reach, TenantId } from '@libs/domain';
import { containing, equalTo } from '../conditions.js';
import { statement, Database } from '../database.js';
import {
  COLUMNS,
  DETAIL,
  LIVING,
  LIVING_FROM,
  type DeploymentDetailRow,
  type DeploymentRow,
} from './deployment-rows.js';
import type { Deployment } from './entities/deployment.entity.js';
import { INSERT, INSERTED, RESERVE_IDS, type NewDeployment, type ReservedIds } from './new-deployment.js';
import {
  byName,
  byTime,
  paged,
  reachValues,
  readPage,
  type ListDefinition,
  type PageOf,
  type PageRequest,
} from '../page-of.js';

const HERE = `${LIVING} and d.environment_id = $2`;
const MATCHING = `and ${equalTo('r.status', 3)} and ${equalTo('d.cloud', 4)} and ${equalTo('d.region', 5)}
   and ${equalTo('d.tier', 6)} and ${containing('d.name', 7)}`;

const ORDER: Omit<ListDefinition, 'rows'> = {
  columns: 'd.id',
  id: 'd.id',
  keys: { name: byName('d.name'), created_at: byTime('d.created_at') },
  // Selects the ids of the page first. Otherwise PostgreSQL computes all columns of the rows before the page, too.
  around: (page, order) =>
    `select ${COLUMNS}, page.total, page.cursor_value, page.cursor_id ${LIVING_FROM} join (${page}) page on page.id = d.id ${order}`,
};
const LIST = paged('deployment.list', { rows: `${HERE} ${MATCHING}`, ...ORDER });
const REACHED = `${LIVING} ${MATCHING} and ($2 or d.division_id = any($8::bigint[]) or d.environment_id = any($9::bigint[]))`;
const LIST_OF_TENANT = paged('deployment.list_of_tenant', { rows: REACHED, ...ORDER });
const FIND = statement('deployment.find', `select ${DETAIL} ${HERE} and d.id = $3`);
// No key update: a step of a running operation holds its operation and inserts rows that refer to the deployment. A stronger
// lock would block these rows, and the deletion would then wait for the operation: a deadlock.
const LOCK = statement('deployment.lock', `select ${DETAIL} ${HERE} and d.id = $3 for no key update of d`);
const FIND_BY_NAME = statement(
  'deployment.by_name',
  `select id from deployments where tenant_id = $3 and environment_id = $1 and lower(name) = lower($2) and deletion_requested_at is null`,
);
const CHANGE = statement(
  'deployment.change',
  `update deployments set name = $2, description = coalesce($3, ''), protected = $4, spend_limit = $5, telemetry_days = $6,
          telemetry_days_explicit = $7, updated_at = now() where id = $1 and tenant_id = $8`,
);
const BEGIN_COOLDOWN = statement(
  'deployment.begin_cooldown',
  'update deployments set upgraded_at = now(), updated_at = now() where id = $1 and tenant_id = $2',
);
const REQUEST_DELETION = statement(
  'deployment.request_deletion',
  `update deployments set deletion_requested_at = now(), updated_at = now() where id = $1 and tenant_id = $2 and deletion_requested_at is null`,
);
// A deployment whose upgrade runs uses the limits of both tiers. When the operation fails, its place is free in the same commit.
const USAGE = statement(
  'deployment.usage',
  `with living as (
     select d.id, d.tier from deployments d
       join deployment_runtimes r on r.deployment_id = d.id and r.deleted_at is null
      where d.tenant_id = $1
   ), used as (
     select tier, id from living
      union
     select u.to_shape ->> 'tier', d.id from living d
       join deployment_upgrades u on u.deployment_id = d.id and u.status = 'pending'
       join operations o on o.id = u.operation_id and o.status in ('pending', 'running')
   )
   select tier, count(*)::int as count, (select count(*)::int from living) as total from used group by tier`,
);

/** The properties that a listed deployment must have. Absent members match every deployment. */
export interface DeploymentFilter {
  status?: DeploymentStatus;
  cloud?: string;
  region?: string;
  tier?: string;
  /** A part of the name, without regard to case. */
  name?: string;
}

/** The deployments of a tenant, for its limits. */
export interface DeploymentUsage {
  total: number;
  /** By tier. A deployment with a running upgrade counts for both tiers. */
  byTier: ReadonlyMap<string, number>;
}

/** Settings of a deployment that change without any effect on its nodes. */
export type DeploymentSettings = Pick<
  Deployment,
  'name' | 'description' | 'protected' | 'spend_limit' | 'telemetry_days' | 'telemetry_days_explicit'
>;

/** Deployments as requested. A deployment with a deleted runtime does not exist. */
@Injectable()
export class DeploymentsRepository {
  constructor(private readonly database: Database) {}

  async list(
    tenantId: TenantId,
    environmentId: EnvironmentId,
    filter: DeploymentFilter,
    request: PageRequest,
  ): Promise<PageOf<DeploymentRow>> {
    const values = [tenantId, environmentId, ...filterValues(filter)];
    return readPage<DeploymentRow>(this.database, LIST, values, request);
  }

  /** The deployments of the tenant that the caller reaches. */
  async listOfTenant(
    tenantId: TenantId,
    reach: Reach,
    filter: DeploymentFilter,
    request: PageRequest,
  ): Promise<PageOf<DeploymentRow>> {
    const [all, divisions, environments] = reachValues(reach);
    const values = [tenantId, all, ...filterValues(filter), divisions, environments];
    return readPage<DeploymentRow>(this.database, LIST_OF_TENANT, values, request);
  }

  async find(tenantId: TenantId, environmentId: EnvironmentId, id: DeploymentId): Promise<DeploymentDetailRow | null> {
    return this.database.first<DeploymentDetailRow>(FIND, [tenantId, environmentId, id]);
  }

  /** Reads the deployment and locks it until the transaction ends. */
  async findForUpdate(
    tenantId: TenantId,
    environmentId: EnvironmentId,
    id: DeploymentId,
  ): Promise<DeploymentDetailRow | null> {
    return this.database.first<DeploymentDetailRow>(LOCK, [tenantId, environmentId, id]);
  }

  async findIdByName(tenantId: TenantId, environmentId: EnvironmentId, name: string): Promise<DeploymentId | null> {
    return (await this.database.first<{ id: DeploymentId }>(FIND_BY_NAME, [environmentId, name, tenantId]))?.id ?? null;
  }

  /** The deployments of the tenant: in total, and by tier. */
  async usage(tenantId: TenantId): Promise<DeploymentUsage> {
    const rows = await this.database.query<{ tier: string; count: number; total: number }>(USAGE, [tenantId]);
    return { total: rows[0]?.total ?? 0, byTier: new Map(rows.map(({ tier, count }) => [tier, count])) };
  }

  /**
   * Takes the ids of a deployment and its nodes from their sequences. With known ids, all rows of a creation are inserted by one
   * packet.
   */
  async reserveIds(nodes: number): Promise<ReservedIds> {
    const [row] = await this.database.query<ReservedIds>(RESERVE_IDS, [nodes]);
    return row as ReservedIds;
  }

  /** Inserts a deployment with a reserved id. Rejects when another deployment has the code. */
  async insert(values: NewDeployment): Promise<void> {
    await this.database.execute(
      INSERT,
      INSERTED.map((name) => values[name]),
    );
  }

  async change(tenantId: TenantId, id: DeploymentId, settings: DeploymentSettings): Promise<void> {
    const {
      name,
      description,
      protected: isProtected,
      spend_limit,
      telemetry_days,
      telemetry_days_explicit,
    } = settings;
    const values = [name, description, isProtected, spend_limit, telemetry_days, telemetry_days_explicit];
    await this.database.execute(CHANGE, [id, ...values, tenantId]);
  }

  /** Starts the time before the hardware of the deployment may change again. */
  async beginCooldown(tenantId: TenantId, id: DeploymentId): Promise<void> {
    await this.database.execute(BEGIN_COOLDOWN, [id, tenantId]);
  }

  async requestDeletion(tenantId: TenantId, id: DeploymentId): Promise<void> {
    await this.database.execute(REQUEST_DELETION, [id, tenantId]);
  }
}

const filterValues = ({ status, cloud, region, tier, name }: DeploymentFilter): (string | null)[] =>
  [status, cloud, region, tier, name].map((value) => value ?? null);
