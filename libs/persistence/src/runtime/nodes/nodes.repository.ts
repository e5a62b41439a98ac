import { Injectable } from '@nestjs/common';
import type {
  BrokerProtocol,
  ConfigId,
  ConnectorCounts,
  DeploymentId,
  NodeId,
  NodeStatus,
  RuntimeReport,
} from '@libs/domain';
import { statement, Database } from '../../database.js';
import type { Node } from './entities/node.entity.js';

/** A node with its ports by purpose. */
export interface NodeRow extends Pick<
  Node,
  | 'id'
  | 'deployment_id'
  | 'ordinal'
  | 'name'
  | 'status'
  | 'status_reason'
  | 'role'
  | 'image_id'
  | 'zone'
  | 'storage_type'
  | 'storage_size'
  | 'variant'
  | 'memory_mib'
  | 'config_id'
  | 'stopped_at'
  | 'private_ip'
  | 'public_ip'
  | 'listen_address'
  | 'epoch'
  | 'agent_version'
  | 'last_seen_at'
  | 'observed_timeline'
  | 'observed_generation'
  | 'runtimes'
  | 'created_at'
> {
  broker_driver: NonNullable<Node['broker_driver']>;
  broker_version: NonNullable<Node['broker_version']>;
  ports: Partial<Record<BrokerProtocol | 'peer', number>>;
}

/** The place that the provider assigned to a node. */
export interface Placement {
  imageId: string;
  privateIp: string;
  publicIp: string | null;
  zone: string;
}

const COLUMNS = `n.id, n.deployment_id, n.ordinal, n.name, n.status, n.status_reason,
  n.role, n.broker_driver, n.broker_version, n.image_id, n.zone,
  n.storage_type, n.storage_size, n.variant, n.memory_mib, n.config_id, n.stopped_at, n.private_ip, n.public_ip,
  n.listen_address, n.epoch, n.agent_version, n.last_seen_at,
  n.observed_timeline, n.observed_generation, n.runtimes,
  n.created_at,
  coalesce((select jsonb_object_agg(p.purpose, p.port) from node_ports p where p.node_id = n.id), '{}') as ports`;

const LIST = statement('node.list', `select ${COLUMNS} from nodes n where n.deployment_id = $1 order by n.ordinal`);
const LISTEN = statement('node.listen', 'update nodes set listen_address = $2, zone = $3 where id = $1');
const CHANGE_ZONE = statement('node.change_zone', 'update nodes set zone = $2 where id = any($1::bigint[])');
const PLACE = statement(
  'node.place',
  `update nodes set private_ip = $2, public_ip = $3, zone = $4, image_id = $5,
          status = case when status = 'pending' then 'starting' else status end
    where id = $1 and status <> 'deleting'`,
);
const LIST_OF = statement('node.list_of', `select ${COLUMNS} from nodes n where n.id = any($1::bigint[])`);
const RESIZE = statement(
  'node.resize',
  `update nodes set variant = $2, memory_mib = $3, storage_size = $4 where id = $1 and status <> 'deleting'`,
);
const APPLY_CONFIG = statement('node.apply_config', 'update nodes set config_id = $2 where id = $1');
const STOP = statement('node.stop', 'update nodes set stopped_at = coalesce(stopped_at, now()) where id = $1');
const START = statement('node.start', 'update nodes set stopped_at = null where id = $1');
const RESTART = statement('node.restart', 'update nodes set stopped_at = null, restarts = restarts + 1 where id = $1');
const HOLD = statement('node.hold', 'update nodes set held_at = now() where deployment_id = $1');
const RELEASE = statement(
  'node.release',
  'update nodes set held_at = null, stopped_at = null where deployment_id = $1',
);
const STOP_CONNECTORS = statement(
  'node.stop_connectors',
  'update nodes set connectors_stopped_at = coalesce(connectors_stopped_at, now()) where id = $1',
);
const START_CONNECTORS = statement(
  'node.start_connectors',
  'update nodes set connectors_stopped_at = null where id = $1',
);
const RESTART_CONNECTORS = statement(
  'node.restart_connectors',
  'update nodes set connectors_stopped_at = null, connector_restarts = connector_restarts + 1 where id = $1',
);
const SET_ADDRESS = statement('node.set_address', 'update nodes set public_ip = $2 where id = $1');
const MOVE = statement(
  'node.move',
  'update nodes set status = $2, status_reason = $3 where deployment_id = $1 and status <> $2',
);
// All nodes that reported since the last flush, in one statement. Rows are locked in the order of ids. A change that publishes
// the documents of several nodes uses the same order, so no deadlock occurs.
const RECORD_STATUSES = statement(
  'node.record_statuses',
  `with held as materialized (
     select id from nodes where id = any($1::bigint[]) and status <> 'deleting' order by id for no key update
   )
   update nodes n
      set status = r.status, status_reason = r.reason, agent_version = r.agent_version, runtimes = r.runtimes,
          observed_timeline = r.timeline, observed_generation = r.generation, observed_hash = r.hash, gauges = r.gauges,
          connector_counts = r.counts, last_seen_at = now()
     from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::jsonb[], $6::bigint[], $7::bigint[], $8::text[],
                 $9::jsonb[], $10::jsonb[])
            as r(id, status, reason, agent_version, runtimes, timeline, generation, hash, gauges, counts)
     join held h on h.id = r.id
    where n.id = r.id and n.status <> 'deleting'
   returning n.id, n.deployment_id as "deploymentId", n.last_seen_at as "seenAt"`,
);

/** The size of a node. */
export interface NodeSize {
  /** Compute size. */
  variant: string;
  memoryMib: number;
  /** GB. */
  storageSize: number;
}

/** The status of a node as its agent reports it. */
export interface ReportedStatus {
  nodeId: NodeId;
  status: NodeStatus;
  reason: string | null;
  agentVersion: string;
  runtimes: RuntimeReport[];
  observed: { timeline: number; generation: number; hash: string };
  /** By name, as far as the driver reports them: cpu_percent, memory_bytes, disk_bytes, clients, … */
  gauges: Record<string, number>;
  /** Of the node's connectors. */
  counts?: readonly ConnectorCounts[];
}

/** A node that has just reported. */
export interface HeardNode {
  id: NodeId;
  deploymentId: DeploymentId;
  /** By the clock of the database. */
  seenAt: Date;
}

/** Nodes of deployments. */
@Injectable()
export class NodesRepository {
  constructor(private readonly database: Database) {}

  async list(deploymentId: DeploymentId): Promise<NodeRow[]> {
    return this.database.query<NodeRow>(LIST, [deploymentId]);
  }

  /** The zone for nodes that no machine runs yet. */
  async changeZone(ids: readonly NodeId[], zone: string): Promise<void> {
    await this.database.execute(CHANGE_ZONE, [ids, zone]);
  }

  /** Sets the address on which the node will listen, before the node exists. */
  async listenOn(id: NodeId, address: string, zone: string): Promise<void> {
    await this.database.execute(LISTEN, [id, address, zone]);
  }

  /** Stores the place that the provider assigned. */
  async place(id: NodeId, { privateIp, publicIp, zone, imageId }: Placement): Promise<void> {
    await this.database.execute(PLACE, [id, privateIp, publicIp, zone, imageId]);
  }

  /** The nodes with these ids, of any deployment. */
  async listOf(ids: readonly NodeId[]): Promise<NodeRow[]> {
    return this.database.query<NodeRow>(LIST_OF, [ids]);
  }

  /** Sets the resources of the node from its next document on. */
  async resize(id: NodeId, { variant, memoryMib, storageSize }: NodeSize): Promise<void> {
    await this.database.execute(RESIZE, [id, variant, memoryMib, storageSize]);
  }

  /** Sets the configuration of its broker from its next document on. */
  async applyConfig(id: NodeId, configId: ConfigId): Promise<void> {
    await this.database.execute(APPLY_CONFIG, [id, configId]);
  }

  /** Sets whether its broker runs, from its next document on. */
  async want(id: NodeId, action: 'start' | 'stop' | 'restart'): Promise<void> {
    await this.database.execute({ start: START, stop: STOP, restart: RESTART }[action], [id]);
  }

  /** Stops all brokers of the deployment from the next documents on. */
  async hold(deploymentId: DeploymentId): Promise<void> {
    await this.database.execute(HOLD, [deploymentId]);
  }

  /** Starts all brokers of the deployment, including those that a user stopped before. */
  async release(deploymentId: DeploymentId): Promise<void> {
    await this.database.execute(RELEASE, [deploymentId]);
  }

  /** Sets whether its connectors run, from its next document on. */
  async wantConnectors(id: NodeId, action: 'start' | 'stop' | 'restart'): Promise<void> {
    const statements = { start: START_CONNECTORS, stop: STOP_CONNECTORS, restart: RESTART_CONNECTORS };
    await this.database.execute(statements[action], [id]);
  }

  async setPublicIp(id: NodeId, address: string): Promise<void> {
    await this.database.execute(SET_ADDRESS, [id, address]);
  }

  /** Sets the status of all nodes of a deployment. */
  async moveAll(deploymentId: DeploymentId, status: NodeStatus, reason: string | null = null): Promise<void> {
    await this.database.execute(MOVE, [deploymentId, status, reason]);
  }

  /** Stores many reports at once. Returns the nodes that were updated. */
  async recordStatuses(reports: readonly ReportedStatus[]): Promise<HeardNode[]> {
    const columns = [
      reports.map((report) => report.nodeId),
      reports.map((report) => report.status),
      reports.map((report) => report.reason),
      reports.map((report) => report.agentVersion),
      reports.map((report) => JSON.stringify(report.runtimes)),
      reports.map((report) => report.observed.timeline),
      reports.map((report) => report.observed.generation),
      reports.map((report) => report.observed.hash),
      reports.map((report) => JSON.stringify(report.gauges)),
      reports.map((report) => JSON.stringify(report.counts ?? [])),
    ];
    return this.database.query<HeardNode>(RECORD_STATUSES, columns);
  }
}
