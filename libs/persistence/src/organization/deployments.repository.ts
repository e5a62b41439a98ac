import { Injectable } from '@nestjs/common';
import type { DeploymentStatus, UpgradeShape, DeploymentId, EnvironmentId, TenantId } from '@libs/domain';
import { statement, Database } from '../database.js';
import { Deployment } from './entities/deployment.entity.js';
import { readPage, type PageOf, type PageRequest } from '../page-of.js';

/** A deployment with the address of its Supervisor. */
export interface DeploymentRow extends Deployment {
  supervisor_url: string | null;
  /** The status that the Supervisor reports. */
  status: DeploymentStatus;
}

/** A completed upgrade. */
export interface DoneUpgrade {
  upgraded_at: string;
  from: UpgradeShape;
  to: UpgradeShape;
}

/** A deployment with its upgrades, newest first. */
export interface DeploymentDetailRow extends DeploymentRow {
  upgrades: DoneUpgrade[];
}

const COLUMNS = `d.id, d.tenant_id, d.division_id, d.environment_id, d.name,
  d.code, d.variant, d.description, d.cloud, d.area, d.region, d.cell, d.tier, d.cluster, d.managed_tier,
  d.storage_type, d.storage_size, d.target_network_tput,
  d.network_scope, d.availability_mode, d.nodes_count, d.protected,
  d.encrypted, d.public_ip_enabled, d.subdomain_enabled, d.dedicated,
  d.telemetry_days, d.telemetry_days_explicit, d.spend_limit,
  d.monthly_compute, d.monthly_storage, d.pricing_version, d.cloud_account_id, d.upgraded_at,
  d.author_id, d.created_at, d.updated_at,
  d.deletion_requested_at, c.url as supervisor_url, r.status`;
const LIVING = `from deployments d
   join deployment_runtimes r on r.deployment_id = d.id and r.deleted_at is null
   left join cells c on c.cell = d.cell
  where d.tenant_id = $1 and d.environment_id = $2`;

const LIST = statement(
  'deployment.list',
  `select ${COLUMNS}, count(*) over ()::int as total ${LIVING} order by d.id desc limit $3 offset $4`,
);
const COUNT = statement('deployment.count', `select count(*)::int as count ${LIVING}`);
// The history grows by at most one row per 15 minutes. Lists only the newest hundred.
const UPGRADES = `coalesce((select jsonb_agg(jsonb_build_object('upgraded_at', h.settled_at, 'from', h.from_shape, 'to', h.to_shape) order by h.id desc)
   from (select * from deployment_upgrades u where u.deployment_id = d.id and u.status = 'applied' order by u.id desc limit 100) h), '[]') as upgrades`;
const FIND = statement('deployment.find', `select ${COLUMNS}, ${UPGRADES} ${LIVING} and d.id = $3`);
const LOCK = statement('deployment.lock', `select ${COLUMNS}, ${UPGRADES} ${LIVING} and d.id = $3 for update of d`);
const FIND_BY_NAME = statement(
  'deployment.by_name',
  `select id from deployments where tenant_id = $3 and environment_id = $1 and lower(name) = lower($2) and deletion_requested_at is null`,
);
const CHANGE = statement(
  'deployment.change',
  `update deployments set description = $2, protected = $3, spend_limit = $4, telemetry_days = $5, telemetry_days_explicit = $6,
          updated_at = now() where id = $1 and tenant_id = $7`,
);
const RESHAPE = statement(
  'deployment.reshape',
  `update deployments set tier = $2, managed_tier = $3, storage_size = $4, monthly_compute = $5, monthly_storage = $6,
          pricing_version = $7, telemetry_days = case when telemetry_days_explicit then least(telemetry_days, $8) else $8 end,
          upgraded_at = case $9::text when 'begin' then now() when 'end' then null else upgraded_at end, updated_at = now()
    where id = $1 and tenant_id = $10`,
);
const REQUEST_DELETION = statement(
  'deployment.request_deletion',
  `update deployments set deletion_requested_at = now(), updated_at = now() where id = $1 and tenant_id = $2 and deletion_requested_at is null`,
);
const USAGE = statement(
  'deployment.usage',
  `select d.tier, count(*)::int as count from deployments d
     join deployment_runtimes r on r.deployment_id = d.id and r.deleted_at is null
    where d.tenant_id = $1 group by d.tier`,
);

/** Columns that an insert requires. */
const INSERTED = [
  'tenant_id',
  'division_id',
  'environment_id',
  'name',
  'code',
  'variant',
  'cloud',
  'area',
  'region',
  'cell',
  'tier',
  'cluster',
  'managed_tier',
  'storage_type',
  'storage_size',
  'target_network_tput',
  'network_scope',
  'availability_mode',
  'nodes_count',
  'protected',
  'encrypted',
  'public_ip_enabled',
  'subdomain_enabled',
  'dedicated',
  'telemetry_days',
  'telemetry_days_explicit',
  'spend_limit',
  'monthly_compute',
  'monthly_storage',
  'pricing_version',
  'cloud_account_id',
  'author_id',
] as const satisfies (keyof Deployment)[];

/** The members of a deployment at its creation. */
export type NewDeployment = Pick<Deployment, (typeof INSERTED)[number]>;

const INSERT = statement(
  'deployment.insert',
  `insert into deployments (${INSERTED.join(', ')})
   values (${INSERTED.map((_, index) => `$${index + 1}`).join(', ')})
   on conflict (code) do nothing returning id`,
);

/** The effect of a change of shape on the cooldown before the next change. */
export type Cooldown = 'begin' | 'end' | 'keep';

/** Settings of a deployment that change without any effect on its nodes. */
export type DeploymentSettings = Pick<
  Deployment,
  'description' | 'protected' | 'spend_limit' | 'telemetry_days' | 'telemetry_days_explicit'
>;

/** Deployments as requested. A deployment with a deleted runtime does not exist. */
@Injectable()
export class DeploymentsRepository {
  constructor(private readonly database: Database) {}

  async list(tenantId: TenantId, environmentId: EnvironmentId, request: PageRequest): Promise<PageOf<DeploymentRow>> {
    const values = [tenantId, environmentId];
    return readPage<DeploymentRow>(this.database, { list: LIST, count: COUNT }, values, request);
  }

  async find(tenantId: TenantId, environmentId: EnvironmentId, id: DeploymentId): Promise<DeploymentDetailRow | null> {
    const [row] = await this.database.query<DeploymentDetailRow>(FIND, [tenantId, environmentId, id]);
    return row ?? null;
  }

  /** Reads the deployment and locks it until the transaction ends. */
  async findForUpdate(
    tenantId: TenantId,
    environmentId: EnvironmentId,
    id: DeploymentId,
  ): Promise<DeploymentDetailRow | null> {
    const [row] = await this.database.query<DeploymentDetailRow>(LOCK, [tenantId, environmentId, id]);
    return row ?? null;
  }

  async findIdByName(tenantId: TenantId, environmentId: EnvironmentId, name: string): Promise<DeploymentId | null> {
    const [row] = await this.database.query<{ id: DeploymentId }>(FIND_BY_NAME, [environmentId, name, tenantId]);
    return row?.id ?? null;
  }

  /** Number of deployments of the tenant, per tier. */
  async usageByTier(tenantId: TenantId): Promise<Map<string, number>> {
    const rows = await this.database.query<{ tier: string; count: number }>(USAGE, [tenantId]);
    return new Map(rows.map(({ tier, count }) => [tier, count]));
  }

  /** Returns the new id, or null when the code is in use. The caller then draws another code. */
  async insert(values: NewDeployment): Promise<DeploymentId | null> {
    const [row] = await this.database.query<{ id: DeploymentId }>(
      INSERT,
      INSERTED.map((name) => values[name]),
    );
    return row?.id ?? null;
  }

  async change(tenantId: TenantId, id: DeploymentId, settings: DeploymentSettings): Promise<void> {
    const { description, protected: isProtected, spend_limit, telemetry_days, telemetry_days_explicit } = settings;
    const values = [description, isProtected, spend_limit, telemetry_days, telemetry_days_explicit];
    await this.database.execute(CHANGE, [id, ...values, tenantId]);
  }

  /**
   * Sets the shape: the requested one, or the previous one after a failure. `telemetryDays` are the days of its terms. They
   * replace the default, and limit an explicit choice, because the caller can choose days under terms that are reverted.
   */
  async reshape(
    tenantId: TenantId,
    id: DeploymentId,
    shape: UpgradeShape,
    telemetryDays: number,
    cooldown: Cooldown,
  ): Promise<void> {
    const { tier, managed_tier, storage, monthly_compute, monthly_storage, pricing_version } = shape;
    const price = [monthly_compute, monthly_storage, pricing_version];
    await this.database.execute(RESHAPE, [
      id,
      tier,
      managed_tier,
      storage.size,
      ...price,
      telemetryDays,
      cooldown,
      tenantId,
    ]);
  }

  async requestDeletion(tenantId: TenantId, id: DeploymentId): Promise<void> {
    await this.database.execute(REQUEST_DELETION, [id, tenantId]);
  }
}
