import { createHash } from 'node:crypto';
import type {
  BrokerProtocol,
  ClusterMember,
  ConnectorValues,
  GateRule,
  NodeCertificate,
  NodeConnector,
  NodeConnectors,
  NodeOrder,
  NodeSpec,
  PreviousPassword,
  ConfigId,
} from '@libs/domain';
import { serverRootPassword } from '@libs/domain/server-root';
import type { AccessRuleRow } from '../security/access-rules.repository.js';
import type { StoredNodeCertificate } from '../security/deployment-certificates.repository.js';
import type { Node } from './entities/node.entity.js';
import type { DeploymentRuntime } from '../entities/deployment-runtime.entity.js';
import type { DeploymentCredential } from '../entities/deployment-credential.entity.js';
import type { Config } from '../entities/config.entity.js';

/** All rows that a node's document is composed from, read in one statement. */
export interface SpecRows
  extends
    Pick<
      Node,
      | 'deployment_id'
      | 'name'
      | 'ordinal'
      | 'epoch'
      | 'restarts'
      | 'memory_mib'
      | 'storage_size'
      | 'credentials_version'
      | 'connector_restarts'
    >,
    Pick<DeploymentRuntime, 'status' | 'peer_secret' | 'rate_limit_bytes' | 'data_key' | 'restore_source'>,
    Pick<DeploymentCredential, 'username' | 'password' | 'next_password' | 'previous_password'> {
  node_id: Node['id'];
  nodes_count: number;
  /** The key of the deployment whose backup the node receives. */
  source_key: DeploymentRuntime['data_key'];
  /** The secret of that deployment. Null without one. */
  source_secret: DeploymentRuntime['peer_secret'] | null;
  broker_driver: NonNullable<Node['broker_driver']>;
  broker_version: string;
  /** A user, an operator or a restore stops this broker, independent of the deployment's status. */
  is_stopped: boolean;
  listen_address: string;
  ports: Partial<Record<BrokerProtocol | 'peer', number>>;
  leader: { address: string; port: number } | null;
  /** Addresses for routes to the other nodes of the deployment, ordered by ordinal. */
  peers: { host: string; port: number }[];
  /** All nodes of a cluster with iggy, ordered by ordinal. Null for every other node. */
  members: ClusterMember[] | null;
  /** ISO 8601. */
  previous_until: string | null;
  /** Whether the node already has the next password of a running replacement. */
  has_next_password: boolean;
  config_id: Config['id'];
  config_name: Config['name'];
  config_version: Config['version'];
  rules: (Pick<AccessRuleRow, 'id' | 'cidr_blocks' | 'rules'> & { valid_to: string | null })[];
  /** Networks of all attachments that put the addresses of clients in front of connections. Sorted. */
  proxies: string[];
  orders: NodeOrder[];
  config_values: string;
  /** The next certificate during a replacement. Null before the first one. */
  certs: StoredNodeCertificate | null;
  /** A user stopped its connectors. */
  connectors_stopped: boolean;
  /** Connectors of the deployment, ordered by id. Null without any. */
  connectors: SpecConnector[] | null;
}

/** An activated connector with the configuration that it runs with. */
export interface SpecConnector extends Omit<NodeConnector, 'config'> {
  config_id: ConfigId;
  config_version: number;
  config_kind: string;
  /** Sealed. */
  config_values: string;
}

/** Decrypted secrets of the rows. */
export interface OpenedSecrets {
  peerSecret: string;
  password: string;
  /** Null without one. */
  previousPassword: PreviousPassword | null;
  /** Null: the data is not encrypted. */
  dataKey: string | null;
  /** The key of the backup that the node receives. Null: the backup is not encrypted. */
  sourceKey: string | null;
  /** The secret of the deployment whose backup the node receives. Null: the node receives none. */
  sourceSecret: string | null;
  configValues: Record<string, unknown>;
  certs: NodeCertificate | null;
  /** Values of the connectors of this node, in the same order. */
  connectorValues: ConnectorValues[];
}

/**
 * One node runs the connectors of the deployment. With several nodes, a message would be moved once per node (decision 0027).
 */
export const runsConnectors = ({ ordinal }: { ordinal: number }): boolean => ordinal === 1;

/** Composes the desired state from rows alone. Uses no clock and no randomness, so that equal rows give equal bytes. */
export function composeSpec(rows: SpecRows, opened: OpenedSecrets): NodeSpec {
  return {
    node_id: rows.node_id,
    deployment_id: rows.deployment_id,
    name: rows.name,
    broker: {
      driver: rows.broker_driver,
      version: rows.broker_version,
      want: rows.status === 'stopped' || rows.is_stopped ? 'stopped' : 'running',
      config: { id: rows.config_id, version: rows.config_version, values: opened.configValues },
      restart: rows.restarts,
      ...(rows.memory_mib !== null && {
        limits: { memory_mib: rows.memory_mib, storage_mib: rows.storage_size * 1024 },
      }),
      ...(opened.dataKey !== null && { encryption: encryptionOf(rows, opened.dataKey, opened.sourceKey) }),
      ...(rows.broker_driver === 'iggy' &&
        opened.sourceSecret !== null && { copied_root: serverRootPassword(opened.sourceSecret) }),
      ...(rows.rate_limit_bytes !== null && { rate_limit: { bytes_per_second: rows.rate_limit_bytes } }),
    },
    listen: listenOf(rows),
    cluster: clusterOf(rows, opened.peerSecret),
    credentials: { username: rows.username, password: opened.password, version: rows.credentials_version },
    ...(opened.previousPassword && { previous_password: opened.previousPassword }),
    ...accessOf(rows),
    ...(opened.certs && { certs: opened.certs }),
    ...(rows.orders.length > 0 && { orders: rows.orders }),
    ...(rows.connectors && { connectors: connectorsOf(rows, rows.connectors, opened.connectorValues) }),
  };
}

/** Without proxies the member is absent, so that the hashes of other documents stay equal. */
const accessOf = ({ rules, proxies }: SpecRows): Pick<NodeSpec, 'access_rules' | 'proxies'> => ({
  access_rules: rules.map(toGateRule),
  ...(proxies.length > 0 && { proxies }),
});

/** The key of the source is only in the document while the node receives the backup. */
const encryptionOf = ({ restore_source: source }: SpecRows, key: string, sourceKey: string | null) =>
  source === null ? { key } : { key, source: { key: sourceKey } };

function connectorsOf(
  rows: SpecRows,
  connectors: readonly SpecConnector[],
  values: readonly ConnectorValues[],
): NodeConnectors {
  const instances = values.flatMap((value, index) => {
    const connector = connectors[index];
    if (!connector) return [];
    const { instance_id, key, name, type, plugin, plugin_version, config_id: id, config_version: version } = connector;
    return [{ instance_id, key, name, type, plugin, plugin_version, config: { id, version, values: value } }];
  });
  return { want: rows.connectors_stopped ? 'stopped' : 'running', restart: rows.connector_restarts, instances };
}

/** Nodes of nats and iggy are equal and connect to each other. The embedded broker has a leader, and the other nodes connect to it. */
function clusterOf(rows: SpecRows, secret: string): NodeSpec['cluster'] {
  const { nodes_count: size, ordinal, leader, peers } = rows;
  if (rows.broker_driver === 'nats') return { size, ordinal, leader: null, peers, secret };
  if (rows.members !== null) return { size, ordinal, leader: null, members: rows.members, secret };
  return {
    size,
    ordinal,
    leader: leader && ordinal > 1 ? { host: leader.address, port: leader.port } : null,
    secret,
  };
}

function listenOf({ listen_address, ports }: SpecRows): NodeSpec['listen'] {
  const port = (purpose: keyof SpecRows['ports']): number | null => ports[purpose] ?? null;
  return {
    address: listen_address,
    ports: { tcp: port('tcp'), http: port('http'), websocket: port('websocket'), udp: port('udp') },
    peer: port('peer'),
  };
}

/** SHA-256 of the canonical JSON (sorted keys at every level). */
export const hashSpec = (spec: NodeSpec): string => createHash('sha256').update(canonicalJson(spec)).digest('hex');

/** JSON with sorted keys in every object. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`;
}

function toGateRule(rule: SpecRows['rules'][number]): GateRule {
  const flags: [BrokerProtocol, boolean][] = [
    ['tcp', rule.rules.broker_tcp],
    ['http', rule.rules.broker_http],
    ['websocket', rule.rules.broker_websocket],
    ['udp', rule.rules.broker_udp],
  ];
  return {
    id: rule.id,
    cidrs: rule.cidr_blocks,
    protocols: flags.filter(([, allowed]) => allowed).map(([protocol]) => protocol),
    valid_to: rule.valid_to,
  };
}
