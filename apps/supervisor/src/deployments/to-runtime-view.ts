import { connectorPlugin } from '@libs/broker/schema';
import type { ConfigSummary, DeploymentFacts, NodeRow, RuntimeRow } from '@libs/persistence/runtime';
import type { DeploymentRuntimeView, EndpointsView, NodeView } from './dto/deployment-runtime.view.js';

/** The rows that the view is built from. */
export interface RuntimeParts {
  facts: DeploymentFacts;
  runtime: RuntimeRow;
  nodes: NodeRow[];
  configs: ConfigSummary[];
  baseDomain: string;
}

/** Account id for networks of the local driver, which are in no customer's account. So the API shows no false account. */
const LOCAL_ACCOUNT = 'local';

export function toRuntimeView({ facts, runtime, nodes, configs, baseDomain }: RuntimeParts): DeploymentRuntimeView {
  const network = { network_id: runtime.network_id, subnet_ids: runtime.subnet_ids };
  const account = facts.account_id ?? LOCAL_ACCOUNT;
  const installed = nodes[0] ?? null;
  return {
    id: facts.id,
    name: facts.name,
    code: facts.code,
    domain: `${facts.code}.${facts.region}.${facts.cloud}.${baseDomain}`,
    variant: facts.variant,
    cloud: facts.cloud,
    region: facts.region,
    status: runtime.status,
    status_reason: runtime.status_reason,
    status_since: runtime.status_since.toISOString(),
    network_mode: runtime.network_mode,
    cidr: runtime.cidr,
    configs: configs.map((config) => ({
      ...config,
      runtime_outdated: installed !== null && config.runtime_version !== installedFor(config, installed),
    })),
    nodes: nodes.map((node) => toNodeView(node, facts.tier, nodes.length)),
    ...(facts.cloud === 'aws'
      ? { aws: { ...network, account_id: account } }
      : { gcp: { ...network, project_id: account } }),
  };
}

/** Returns the installed release: of the broker, or of the connector's plugin for a connector configuration. */
function installedFor(
  { kind }: ConfigSummary,
  { broker_driver: brokerDriver, broker_version: brokerVersion }: NodeRow,
): string {
  const [, type = '', key = ''] = kind.split(':');
  return connectorPlugin(brokerDriver, brokerVersion, type, key)?.version ?? brokerVersion;
}

const toNodeView = (node: NodeRow, tier: string, nodesCount: number): NodeView => ({
  id: node.id,
  name: node.name,
  status: node.status,
  status_reason: node.status_reason,
  role: node.role,
  image_id: node.image_id,
  variant: node.variant ?? tier,
  driver: node.broker_driver,
  replication: replicates(node, nodesCount) ? 'broker' : 'none',
  zone: node.zone,
  storage: { type: node.storage_type, size: node.storage_size },
  private_ip: node.private_ip,
  public_ip: node.public_ip,
  endpoints: endpointsOf(node),
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

/** The embedded broker never replicates, and a single node has no target. */
const replicates = ({ broker_driver: brokerDriver }: NodeRow, nodesCount: number): boolean =>
  brokerDriver !== 'embedded' && nodesCount > 1;

function endpointsOf({
  public_ip: publicIp,
  private_ip: privateIp,
  listen_address: listenAddress,
  ports,
}: NodeRow): EndpointsView {
  const host = publicIp ?? privateIp ?? listenAddress;
  const at = (port: number | undefined): string | null =>
    host !== null && port !== undefined ? `${host}:${port}` : null;
  return { tcp: at(ports.tcp), http: at(ports.http), websocket: at(ports.websocket), udp: at(ports.udp) };
}
