import type { BrokerProtocol, NodeStatus, RuntimeReport } from '@libs/domain';
import { statement, type Database } from '../database.js';
import { Node } from './node.entity.js';

/** A node with its ports by purpose. */
export interface NodeRow extends Node {
  ports: Partial<Record<BrokerProtocol | 'peer', number>>;
}

/** Where the provider put a node. */
export interface Placement {
  address: string;
  privateIp: string;
  publicIp: string | null;
  zone: string;
}

const COLUMNS = `n.id, n.deployment_id as "deploymentId", n.ordinal, n.name, n.status, n.status_reason as "statusReason",
  n.role, n.broker_driver as "brokerDriver", n.broker_version as "brokerVersion", n.image_id as "imageId", n.zone,
  n.storage_type as "storageType", n.storage_size as "storageSize", n.private_ip as "privateIp", n.public_ip as "publicIp",
  n.listen_address as "listenAddress", n.epoch, n.agent_version as "agentVersion", n.last_seen_at as "lastSeenAt",
  n.observed_timeline as "observedTimeline", n.observed_generation as "observedGeneration", n.runtimes,
  n.created_at as "createdAt",
  coalesce((select jsonb_object_agg(p.purpose, p.port) from node_ports p where p.node_id = n.id), '{}') as ports`;

const LIST = statement('node.list', `select ${COLUMNS} from nodes n where n.deployment_id = $1 order by n.ordinal`);
const PLACE = statement(
  'node.place',
  `update nodes set listen_address = $2, private_ip = $3, public_ip = $4, zone = $5, status = 'starting'
    where id = $1 and status in ('pending', 'starting')`,
);
const SET_ADDRESS = statement('node.set_address', 'update nodes set public_ip = $2 where id = $1');
const MOVE = statement(
  'node.move',
  'update nodes set status = $2, status_reason = $3 where deployment_id = $1 and status <> $2',
);
const ISSUE_TOKEN = statement(
  'node.issue_token',
  'update nodes set bootstrap_token_hash = $2 where id = $1 and not credential_confirmed',
);
// All nodes that reported since the last flush, in one statement: one row of arrays a node.
const RECORD_STATUSES = statement(
  'node.record_statuses',
  `update nodes n
      set status = r.status, status_reason = r.reason, agent_version = r.agent_version, runtimes = r.runtimes,
          observed_timeline = r.timeline, observed_generation = r.generation, observed_hash = r.hash, last_seen_at = now()
     from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::jsonb[], $6::bigint[], $7::bigint[], $8::text[])
          as r(id, status, reason, agent_version, runtimes, timeline, generation, hash)
    where n.id = r.id and n.status <> 'deleting'
   returning n.id, n.deployment_id as "deploymentId"`,
);
const TOUCH = statement('node.touch', 'update nodes set last_seen_at = now() where id = any($1::bigint[])');

/** What an agent said of its node. */
export interface ReportedStatus {
  nodeId: number;
  status: NodeStatus;
  reason: string | null;
  agentVersion: string;
  runtimes: RuntimeReport[];
  observed: { timeline: number; generation: number; hash: string };
}

/** Nodes of deployments. */
export class NodesRepository {
  constructor(private readonly database: Database) {}

  /** The first rows, in the transaction that asks for the deployment; answers their ids in order. */
  async insert(nodes: Partial<Node>[]): Promise<number[]> {
    const { identifiers } = await this.database.manager.getRepository(Node).insert(nodes);
    return identifiers.map((identifier) => Number(identifier['id']));
  }

  async list(deploymentId: number): Promise<NodeRow[]> {
    return this.database.query<NodeRow>(LIST, [deploymentId]);
  }

  async place(id: number, { address, privateIp, publicIp, zone }: Placement): Promise<void> {
    await this.database.execute(PLACE, [id, address, privateIp, publicIp, zone]);
  }

  async setPublicIp(id: number, address: string): Promise<void> {
    await this.database.execute(SET_ADDRESS, [id, address]);
  }

  /** Moves all nodes of a deployment. */
  async moveAll(deploymentId: number, status: NodeStatus, reason: string | null = null): Promise<void> {
    await this.database.execute(MOVE, [deploymentId, status, reason]);
  }

  /** Remembers the hash of a new one-time token, unless the agent has already proved its own credential. */
  async issueToken(id: number, tokenHash: Buffer): Promise<void> {
    await this.database.execute(ISSUE_TOKEN, [id, tokenHash]);
  }

  /** Writes many reports at once; answers the deployments they belong to. */
  async recordStatuses(reports: readonly ReportedStatus[]): Promise<number[]> {
    const columns = [
      reports.map((report) => report.nodeId),
      reports.map((report) => report.status),
      reports.map((report) => report.reason),
      reports.map((report) => report.agentVersion),
      reports.map((report) => JSON.stringify(report.runtimes)),
      reports.map((report) => report.observed.timeline),
      reports.map((report) => report.observed.generation),
      reports.map((report) => report.observed.hash),
    ];
    const rows = await this.database.query<{ deploymentId: number }>(RECORD_STATUSES, columns);
    return [...new Set(rows.map((row) => row.deploymentId))];
  }

  /** Marks nodes as seen now. */
  async touch(ids: readonly number[]): Promise<void> {
    await this.database.execute(TOUCH, [ids]);
  }
}
