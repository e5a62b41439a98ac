import type { BrokerDriver, DeploymentStatus, FeatureLevels, OperationId, UpgradeShape } from '@libs/domain';
import { FEATURES_NOW } from '../features-now.js';
import { statusReasonOr } from '../status-reason.js';
import type { Deployment } from './entities/deployment.entity.js';
import { LATE_REPORT } from '../late-report.js';
import { AWAY, IS_REACHABLE } from '../living-cell.js';

/** A deployment with the address of its Supervisor. */
export interface DeploymentRow extends Deployment {
  supervisor_url: string | null;
  /** Whether its Supervisor is alive. What the row says of its runtime is older otherwise. */
  supervisor_reachable: boolean;
  /** The oldest report that `status` rests on, once it is late. Null while reports are on time. */
  last_report_at: Date | null;
  /** What the drivers can do now. Null when the Supervisor has declared nothing. */
  features_now: FeatureLevels | null;
  /** The status that the Supervisor reports. */
  status: DeploymentStatus;
  status_reason: string | null;
  /** The operation that runs for the deployment. If several run, the one that changes the deployment. Null for none. */
  operation_id: OperationId | null;
  /** IPv4 network of the customer's VPC, if it was given. */
  vpc_cidr: string | null;
  /** The requested upgrade that the operation has not reached yet. Null for none. */
  pending_upgrade: PendingUpgrade | null;
}

/** An upgrade that was requested and is not in force yet. */
export interface PendingUpgrade {
  operation_id: OperationId;
  requested_at: string;
  to: UpgradeShape;
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
  /** The most nodes of the deployment that are on one machine. Null when the driver is not `machines`. */
  nodes_on_one_machine: number | null;
  /** The broker of the first node. Null until the nodes exist. */
  broker: { driver: BrokerDriver; release: string } | null;
  /** Whether an access rule is in force. */
  has_access_rule: boolean;
}

/** Columns of a `DeploymentRow`. */
export const COLUMNS = `d.id, d.tenant_id, d.division_id, d.environment_id, d.name,
  d.code, d.variant, nullif(d.description, '') as description, d.cloud, d.area, d.region, d.cell, d.tier, d.cluster, d.managed_tier,
  d.storage_type, d.storage_size, d.target_network_tput,
  d.network_scope, d.availability_mode, d.nodes_count, d.protected,
  d.encrypted, d.public_ip_enabled, d.subdomain_enabled, d.dedicated, d.features,
  d.telemetry_days, d.telemetry_days_explicit, d.spend_limit,
  d.monthly_compute, d.monthly_storage, d.pricing_version, d.cloud_account_id, d.upgraded_at,
  d.author_id, d.created_at, d.updated_at,
  d.deletion_requested_at, c.url as supervisor_url, ${IS_REACHABLE} as supervisor_reachable, ${LATE_REPORT}, ${FEATURES_NOW} as features_now, r.status, ${statusReasonOr(AWAY)},
  (select o.id from operations o where o.deployment_id = d.id and o.status in ('pending', 'running')
    order by o.changing desc, o.id desc limit 1) as operation_id,
  (select a.vpc_cidr from deployment_accounts a where a.deployment_id = d.id) as vpc_cidr,
  (select jsonb_build_object('operation_id', u.operation_id, 'requested_at', u.requested_at, 'to', u.to_shape)
     from deployment_upgrades u join operations o on o.id = u.operation_id and o.status in ('pending', 'running')
    where u.deployment_id = d.id and u.status = 'pending') as pending_upgrade`;
/** The deployments that exist, of all tenants. */
export const LIVING_FROM = `from deployments d
   join deployment_runtimes r on r.deployment_id = d.id and r.deleted_at is null
   left join cells c on c.cell = d.cell`;
/** The deployments of tenant $1 that exist. */
export const LIVING = `${LIVING_FROM}
  where d.tenant_id = $1`;
/** The history grows by at most one row per 15 minutes. Lists only the newest hundred. */
const UPGRADES = `coalesce((select jsonb_agg(jsonb_build_object('upgraded_at', h.settled_at, 'from', h.from_shape, 'to', h.to_shape) order by h.id desc)
   from (select * from deployment_upgrades u where u.deployment_id = d.id and u.status = 'applied' order by u.id desc limit 100) h), '[]') as upgrades`;
/** Nodes on one machine fail together. */
const ON_ONE_MACHINE = `(select max(together.nodes) from (
   select count(*)::int as nodes from machine_nodes n where n.deployment_id = d.id and n.intent = 'present' group by n.machine_id
 ) together) as nodes_on_one_machine`;
const BROKER = `(select jsonb_build_object('driver', n.broker_driver, 'release', n.broker_version) from nodes n
  where n.deployment_id = d.id order by n.ordinal limit 1) as broker`;
const HAS_ACCESS_RULE = `exists(select from access_rules a
  where a.deployment_id = d.id and (a.valid_to is null or a.valid_to > now())) as has_access_rule`;
/** Columns of a `DeploymentDetailRow`. */
export const DETAIL = `${COLUMNS}, ${UPGRADES}, ${ON_ONE_MACHINE}, ${BROKER}, ${HAS_ACCESS_RULE}`;
