import { closesPort } from '@libs/broker-config';
import type { NodeSpec } from '@libs/domain';
import type { GateState } from '../../../control/broker-runtime.js';
import type { GateConfig } from '../../../gate/gate-config.js';
import { gateSettings } from '../../../control/gate-settings.js';
import type { NodeHome } from '../../../control/node-home.js';
import { clientsSecret, rootAccount } from './iggy-accounts.js';
import type { IggySecrets, ServerIdentity } from './iggy-upstream.js';

/** Clients of one node. The server has no limit of its own. */
const MAX_CLIENTS = 10_000;

export interface IggyGateConfig extends GateConfig {
  server: ServerIdentity;
  secrets: IggySecrets;
}

/** The parts that need a restart of the gate to change. */
export type IggyGatePart = Pick<IggyGateConfig, 'listen' | 'max_connections' | 'rate_limit' | 'server' | 'secrets'>;

export function iggyGatePart(spec: NodeSpec): IggyGatePart {
  const { broker, cluster, listen } = spec;
  return {
    listen: { ...listen, ports: openPorts(spec) },
    max_connections: MAX_CLIENTS,
    server: { release: broker.version, member: cluster.members === undefined ? null : spec.name },
    secrets: { root: rootAccount(spec.cluster.secret), clients: clientsSecret(spec) },
    ...(broker.rate_limit && { rate_limit: broker.rate_limit }),
  };
}

/** QUIC is not behind the gate: a gate of datagrams cannot cut a client. */
function openPorts({ broker, listen }: NodeSpec): NodeSpec['listen']['ports'] {
  const { driver, version: release, config } = broker;
  const unless = (protocol: 'tcp' | 'websocket') =>
    closesPort({ driver, release }, protocol, config.values) ? null : listen.ports[protocol];
  return { ...listen.ports, tcp: unless('tcp'), websocket: unless('websocket'), udp: null };
}

/** The whole file. */
export function iggyGateConfig(
  home: NodeHome,
  part: IggyGatePart,
  gate: GateState,
  hash: string,
  spec: NodeSpec,
): IggyGateConfig {
  return {
    installation: home.installation,
    node_id: home.nodeId,
    dir: home.dir,
    config_hash: hash,
    ...part,
    gate: gateSettings(gate),
    page: { deployment_id: spec.deployment_id, node_name: spec.name, driver: spec.broker.driver },
  };
}
