import { EVERY_ADDRESS } from '@libs/domain';
import { closesPort } from '@libs/broker-config';
import { isProvenIggy } from '@libs/domain/iggy-releases';
import type { ConfigRow, NodeRow } from '@libs/persistence/runtime';
import type { EndpointsView, NodeView } from './dto/node.view.js';

/** The deployment of a node. */
export interface NodeSurroundings {
  tier: string;
  nodesCount: number;
  /** The broker configurations that the nodes run with. */
  applied: readonly ConfigRow[];
}

export const toNodeView = (node: NodeRow, { tier, nodesCount, applied }: NodeSurroundings): NodeView => ({
  ...configOf(node, applied),
  endpoints: endpointsOf(node, configurationOf(node, applied)?.values ?? {}),
  id: node.id,
  name: node.name,
  status: node.status,
  status_reason: node.status_reason,
  role: node.role,
  image_id: node.image_id,
  variant: node.variant ?? tier,
  driver: node.broker_driver,
  proven: isProven(node),
  replication: replicates(node, nodesCount) ? 'broker' : 'none',
  zone: node.zone,
  storage: { type: node.storage_type, size: node.storage_size },
  private_ip: node.private_ip,
  public_ip: node.public_ip,
  runtimes: node.runtimes.map(({ runtime, status, version, started_at, pid }) => ({
    runtime,
    status,
    version,
    started_at,
    pid,
  })),
  agent: { version: node.agent_version, last_heartbeat_at: node.last_seen_at?.toISOString() ?? null },
  created_at: node.created_at.toISOString(),
});

/** Landlord chooses the releases of the other drivers. An operator chooses the program of iggy. */
const isProven = ({ broker_driver: driver, broker_version: release }: NodeRow): boolean =>
  driver !== 'iggy' || isProvenIggy(release);

/** The embedded broker never replicates, and a single node has no target. */
const replicates = ({ broker_driver: brokerDriver }: NodeRow, nodesCount: number): boolean =>
  brokerDriver !== 'embedded' && nodesCount > 1;

/** A node without an own configuration runs with the active one, as its document does. */
function configurationOf({ config_id: configId }: NodeRow, applied: readonly ConfigRow[]): ConfigRow | undefined {
  return applied.find(({ id, primary }) => (configId === null ? primary : id === configId));
}

function configOf(node: NodeRow, applied: readonly ConfigRow[]): Pick<NodeView, 'config_id' | 'config_version'> {
  const { id = null, version = null } = configurationOf(node, applied) ?? {};
  return { config_id: id, config_version: version };
}

/** A port that the configuration of the node closes is no endpoint. */
function endpointsOf(node: NodeRow, values: Record<string, unknown>): EndpointsView {
  const { public_ip: publicIp, private_ip: privateIp, listen_address: listenAddress, ports } = node;
  // A node that listens on every address has no address of its own until it is placed.
  const host = publicIp ?? privateIp ?? (listenAddress === EVERY_ADDRESS ? null : listenAddress);
  const at = (port: number | undefined): string | null =>
    host !== null && port !== undefined ? `${host}:${port}` : null;
  const broker = { driver: node.broker_driver, release: node.broker_version };
  const unless = (protocol: 'tcp' | 'http' | 'websocket'): string | null =>
    closesPort(broker, protocol, values) ? null : at(ports[protocol]);
  return { tcp: unless('tcp'), http: unless('http'), websocket: unless('websocket'), udp: at(ports.udp) };
}
