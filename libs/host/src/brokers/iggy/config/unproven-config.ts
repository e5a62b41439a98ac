import type { ClusterMember, NodeSpec } from '@libs/domain';
import { clustersIggy } from '@libs/domain/iggy-releases';
import { BrokerError } from '../../../control/broker-error.js';
import type { NodeHome } from '../../../control/node-home.js';
import { IGGY_FILES, RUNTIME_PATH } from '../iggy-files.js';
import type { TomlTable, TomlValue } from './toml-text.js';

/** The first and the last second number of a private address `127.x.y.z`. Clusters of a machine have other addresses than 127.0.0.1. */
const FIRST_PRIVATE = 64;
const PRIVATE_NETWORKS = 64;

/** The keys of a server of a line that Landlord is not proven with. */
export interface UnprovenConfig {
  values: Record<string, TomlValue>;
  /** All members of the cluster. Empty for a single node. */
  members: TomlTable[];
}

/**
 * The settings of an unproven release: those of 0.9.0-edge.5, without any that a user chose. A release that ignores one of them serves no
 * clients, because the gate compares each with the report of the server. The release reports no port that the system assigned, and its
 * cluster tells clients the ports of its own listeners. So the server listens on the port of the gate, on a private address.
 * @throws BrokerError for a release whose keys are unknown, and for a cluster of nodes that have no addresses
 */
export function unprovenConfig(home: NodeHome, spec: NodeSpec): UnprovenConfig {
  const { broker, cluster, listen } = spec;
  if (!clustersIggy(broker.version)) throw new BrokerError(`the settings of iggy ${broker.version} are unknown`);
  const members = cluster.size > 1 ? requireMembers(spec) : [];
  const isCluster = members.length > 0;
  return {
    values: {
      ...{ 'system.path': IGGY_FILES.data(home), 'system.runtime.path': RUNTIME_PATH },
      'system.logging.file_enabled': true,
      // The gate knows the frames of proven releases only, so clients use HTTP.
      ...{ 'tcp.enabled': false, 'websocket.enabled': false, 'quic.enabled': false },
      ...{ 'http.enabled': true, 'http.address': `${privateAddress(spec)}:${listen.ports.http ?? 0}` },
      ...{ 'http.metrics.endpoint': '/metrics', 'http.cors.enabled': false },
      ...{ 'system.sharding.cpu_allocation': '1', 'system.sharding.pin_cores': false },
      'system.memory_pool.enabled': false,
      ...{ 'cluster.enabled': isCluster, 'telemetry.enabled': false },
      ...(isCluster && { 'cluster.name': `deployment-${spec.deployment_id}`, 'cluster.auth.enabled': true }),
    },
    members: members.map(toTable),
  };
}

function requireMembers({ cluster }: NodeSpec): ClusterMember[] {
  const { members = [], size } = cluster;
  if (members.length !== size)
    throw new BrokerError(`the document of the node names ${members.length} of ${size} members of the cluster`);
  return members;
}

const toTable = ({ name, host, client_host, ports }: ClusterMember, index: number): TomlTable => ({
  name,
  ip: host,
  advertised_address: client_host,
  replica_id: index,
  // Each server requires a port for the binary protocol, also when it is disabled.
  ports: { tcp: ports.tcp, http: ports.http, tcp_replica: ports.peer },
});

/** A loopback address that no other node of this machine has. */
function privateAddress({ node_id: id }: NodeSpec): string {
  return [
    '127',
    FIRST_PRIVATE + (Math.floor(id / 65_536) % PRIVATE_NETWORKS),
    Math.floor(id / 256) % 256,
    id % 256,
  ].join('.');
}
