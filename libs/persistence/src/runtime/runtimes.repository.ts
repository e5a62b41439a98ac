import { Injectable } from '@nestjs/common';
import { statesBefore, type DeploymentStatus, type DeploymentId } from '@libs/domain';
import { statement, Database } from '../database.js';
import { FEATURES_NOW } from '../features-now.js';
import { LATE_REPORT_OF_NODES } from '../late-report.js';
import { STATUS_REASON } from '../status-reason.js';
import type { DeploymentRuntime } from './entities/deployment-runtime.entity.js';
import type { Deployment } from '../organization/entities/deployment.entity.js';
import type { Division } from '../organization/entities/division.entity.js';
import type { Environment } from '../organization/entities/environment.entity.js';

const MOVE = statement(
  'runtime.move',
  `update deployment_runtimes
      set status = $2, status_reason = $3, status_since = case when status = $2 then status_since else now() end,
          initialized_at = case when $2 = 'initialized' then coalesce(initialized_at, now()) else initialized_at end
    where deployment_id = $1 and (status = any($4) or status = $2) and deleted_at is null`,
);
const MOVE_FROM = statement(
  'runtime.move_from',
  `update deployment_runtimes set status = $2, status_reason = null, status_since = now()
    where deployment_id = $1 and status = $3 and deleted_at is null`,
);
const EXPLAIN = statement(
  'runtime.explain',
  `update deployment_runtimes set status_reason = $3
    where deployment_id = $1 and status = $2 and deleted_at is null and status_reason is distinct from $3`,
);
const RECORD_NETWORK = statement(
  'runtime.record_network',
  `update deployment_runtimes set cidr = $2, network_id = $3, subnet_ids = $4, network_account = $5 where deployment_id = $1`,
);
const RECORD_LOAD_BALANCER = statement(
  'runtime.record_load_balancer',
  'update deployment_runtimes set load_balancer = $2 where deployment_id = $1',
);
const FIND = statement(
  'runtime.find',
  `select r.deployment_id, r.cell, r.status, ${STATUS_REASON}, r.status_since, ${LATE_REPORT_OF_NODES},
          r.network_mode, r.cidr, r.network_id, r.network_account, r.subnet_ids,
          r.load_balancer, r.initialized_at
     from deployment_runtimes r where r.deployment_id = $1 and r.deleted_at is null`,
);
const LOCK = statement(
  'runtime.lock',
  `select case when d.deletion_requested_at is null then r.status else 'deleting' end as status
     from deployment_runtimes r join deployments d on d.id = r.deployment_id
    where r.deployment_id = $1 and r.deleted_at is null for no key update of r`,
);
const FACTS = statement(
  'runtime.facts',
  `select d.id, d.variant, d.tenant_id, d.division_id, v.name as division_name, d.environment_id, e.name as environment_name, d.name, d.code,
          d.cell, d.cloud, d.region, d.tier, d.managed_tier, d.storage_type, d.storage_size, d.availability_mode, d.nodes_count, d.dedicated, d.public_ip_enabled,
          d.subdomain_enabled, d.features, d.cluster, d.created_at, d.monthly_compute, d.monthly_storage, d.pricing_version, a.account_id, a.vpc_id, a.vpc_cidr
     from deployments d left join deployment_accounts a on a.deployment_id = d.id join divisions v on v.id = d.division_id join environments e on e.id = d.environment_id
    where d.id = any($1::bigint[])`,
);
const LIVING = statement(
  'runtime.living',
  'select deployment_id as id from deployment_runtimes where deployment_id = any($1::bigint[]) and deleted_at is null',
);
// Deletes all rows of the deployment except the runtime itself, which operations and invoices still need.
const PURGE = [
  'delete from cloud_resources where deployment_id = $1',
  'delete from activities where deployment_id = $1',
  'delete from tasks where deployment_id = $1',
  'delete from backups where deployment_id = $1',
  'delete from backup_schedules where deployment_id = $1',
  'delete from diagnostic_snapshots where deployment_id = $1',
  'delete from nodes where deployment_id = $1',
  'delete from connector_instances where deployment_id = $1',
  'delete from deployment_credentials where deployment_id = $1',
  'delete from deployment_certificates where deployment_id = $1',
  'delete from access_rules where deployment_id = $1',
  'delete from login_refusals where deployment_id = $1',
  'delete from configs where deployment_id = $1',
  'delete from config_versions where deployment_id = $1',
  'delete from deployment_accounts where deployment_id = $1',
  `update deployment_runtimes
      set deleted_at = now(), peer_secret = '', data_key = null, restore_source = null, load_balancer = null, redirecting_since = null
    where deployment_id = $1`,
].map((text, index) => statement(`runtime.purge_${index}`, text));

/** The requested properties of a deployment that its lifecycle needs. */
export interface DeploymentFacts extends Pick<
  Deployment,
  | 'id'
  | 'variant'
  | 'tenant_id'
  | 'division_id'
  | 'environment_id'
  | 'name'
  | 'code'
  | 'cell'
  | 'cloud'
  | 'region'
  | 'tier'
  | 'managed_tier'
  | 'storage_type'
  | 'storage_size'
  | 'availability_mode'
  | 'nodes_count'
  | 'dedicated'
  | 'public_ip_enabled'
  | 'subdomain_enabled'
  | 'features'
  | 'cluster'
  | 'created_at'
  | 'monthly_compute'
  | 'monthly_storage'
  | 'pricing_version'
> {
  division_name: Division['name'];
  environment_name: Environment['name'];
  /** The customer's cloud account of the deployment. Null in the provider's own account. */
  account_id: string | null;
  /** The customer's VPC at AWS. Null in the provider's own account, and at other clouds. */
  vpc_id: string | null;
  /** IPv4 network of the customer's VPC, if it was given. */
  vpc_cidr: string | null;
}

/** The runtime without its secret. */
export type RuntimeRow = Omit<
  DeploymentRuntime,
  | 'peer_secret'
  | 'data_key'
  | 'restore_source'
  | 'rate_limit_bytes'
  | 'deleted_at'
  | 'telemetry_purged_at'
  | 'redirecting_since'
> & {
  /** The oldest last report of the nodes, once it is late. Null while reports are on time. */
  last_report_at: Date | null;
};

/** The network of a deployment, as the provider describes it. */
export interface RecordedNetwork {
  cidr: string;
  networkId: string;
  subnetIds: string[];
  /** The account that contains it. Null: the provider has no accounts. */
  account: string | null;
}

const FORGET_RESTORE_SOURCE = statement(
  'runtime.forget_restore_source',
  'update deployment_runtimes set restore_source = null where deployment_id = $1',
);
// A level that was `none` at the creation was never promised. `materialized`: the order of the result would otherwise lead
// PostgreSQL through the runtimes of all cells.
const LOST_FEATURES = statement(
  'runtime.lost_features',
  `with held as materialized (select deployment_id, cell from deployment_runtimes where cell = $1 and deleted_at is null)
   select d.id as "deploymentId", array_agg(f.key order by f.key) as features
     from cells c
     join held r on r.cell = c.cell
     join deployments d on d.id = r.deployment_id
    cross join lateral (select ${FEATURES_NOW} as levels) now_done
    cross join lateral jsonb_each_text(d.features) f
    where c.cell = $1 and f.value <> 'none' and coalesce(now_done.levels ->> f.key, 'none') = 'none'
    group by d.id order by d.id limit 200`,
);

/** What the drivers of a deployment did at its creation, and do no longer. */
export interface LostFeatures {
  deploymentId: DeploymentId;
  features: string[];
}

/** Runtimes of deployments. */
@Injectable()
export class RuntimesRepository {
  constructor(private readonly database: Database) {}

  async find(deploymentId: DeploymentId): Promise<RuntimeRow | null> {
    return this.database.first<RuntimeRow>(FIND, [deploymentId]);
  }

  /**
   * Returns the status, `deleting` from the request for the deletion on, and locks the runtime until the transaction ends, so that no other transaction can pass a limit at the
   * same time. Null when there is no runtime.
   */
  async findStatusForUpdate(deploymentId: DeploymentId): Promise<DeploymentStatus | null> {
    return (await this.database.first<{ status: DeploymentStatus }>(LOCK, [deploymentId]))?.status ?? null;
  }

  /** The nodes have the data of the other deployment. Their next documents no longer contain its key. */
  async forgetRestoreSource(deploymentId: DeploymentId): Promise<void> {
    await this.database.execute(FORGET_RESTORE_SOURCE, [deploymentId]);
  }

  /** The requested properties. Null for a deployment that never existed. */
  async facts(deploymentId: DeploymentId): Promise<DeploymentFacts | null> {
    return (await this.factsOf([deploymentId])).get(deploymentId) ?? null;
  }

  /** The requested properties of deployments that exist or existed, by id. */
  async factsOf(deploymentIds: readonly DeploymentId[]): Promise<Map<DeploymentId, DeploymentFacts>> {
    const rows = await this.database.query<DeploymentFacts>(FACTS, [[...new Set(deploymentIds)]]);
    return new Map(rows.map((facts) => [facts.id, facts]));
  }

  /** The deployments among the ids that are not deleted. */
  async living(deploymentIds: readonly DeploymentId[]): Promise<DeploymentId[]> {
    return (await this.database.query<{ id: DeploymentId }>(LIVING, [deploymentIds])).map(({ id }) => id);
  }

  /** Changes the status according to the table of states. Returns false when the table does not allow the change. */
  async move(deploymentId: DeploymentId, to: DeploymentStatus, reason: string | null = null): Promise<boolean> {
    return (await this.database.execute(MOVE, [deploymentId, to, reason, statesBefore(to)])) === 1;
  }

  /** Like `move`, but only from this status. */
  async moveFrom(deploymentId: DeploymentId, from: DeploymentStatus, to: DeploymentStatus): Promise<boolean> {
    return (await this.database.execute(MOVE_FROM, [deploymentId, to, from])) === 1;
  }

  /** Sets the reason of a status that stays. Has no effect in another status. */
  async explain(deploymentId: DeploymentId, status: DeploymentStatus, reason: string | null): Promise<void> {
    await this.database.execute(EXPLAIN, [deploymentId, status, reason]);
  }

  async recordNetwork(
    deploymentId: DeploymentId,
    { cidr, networkId, subnetIds, account }: RecordedNetwork,
  ): Promise<void> {
    await this.database.execute(RECORD_NETWORK, [deploymentId, cidr, networkId, subnetIds, account]);
  }

  async recordLoadBalancer(deploymentId: DeploymentId, address: string): Promise<void> {
    await this.database.execute(RECORD_LOAD_BALANCER, [deploymentId, address]);
  }

  /** Deployments of the cell whose drivers have lost features. */
  async lostFeatures(cell: string): Promise<LostFeatures[]> {
    return this.database.query<LostFeatures>(LOST_FEATURES, [cell]);
  }

  /** Deletes all data of a deleted deployment. */
  async purge(deploymentId: DeploymentId): Promise<void> {
    for (const purge of PURGE) await this.database.execute(purge, [deploymentId]);
  }
}
