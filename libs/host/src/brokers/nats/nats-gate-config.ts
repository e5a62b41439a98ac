import type { NodeSpec } from '@libs/domain';
import { natsValues } from '@libs/broker-config';
import type { GateState } from '../../control/broker-runtime.js';
import type { MqttGateConfig } from '../../gate/gate-config.js';
import { gateSettings } from '../../control/gate-settings.js';
import type { NodeHome } from '../../control/node-home.js';
import { clientAccount } from './nats-config.js';
import { monitorPassword } from './nats-monitor.js';

export interface NatsGateConfig extends MqttGateConfig {
  /** With more than 1 node, the broker is ready only when the nodes have elected a leader. */
  cluster_size: number;
  /** Password of the monitoring account of nats-server. */
  monitor_password: string;
}

/** The parts that need a restart of the gate to change. */
export type NatsGatePart = Pick<
  NatsGateConfig,
  | 'listen'
  | 'broker_account'
  | 'max_connections'
  | 'max_packet_bytes'
  | 'connect_timeout'
  | 'hidden_topics'
  | 'cluster_size'
  | 'monitor_password'
  | 'rate_limit'
>;

/** The gate's part of a node's configuration. Omits disabled ports. */
export function natsGatePart(spec: NodeSpec): NatsGatePart {
  const { broker, listen, cluster } = spec;
  const values = natsValues(broker.config.values);
  const { tcp, http, websocket } = listen.ports;
  const ports = {
    tcp,
    http: values['http.enabled'] ? http : null,
    websocket: values['websocket.enabled'] ? websocket : null,
    udp: null,
  };
  return {
    listen: { ...listen, ports },
    broker_account: clientAccount(spec),
    max_connections: values['mqtt.max_connections'],
    max_packet_bytes: values['mqtt.max_packet_size'],
    connect_timeout: values['mqtt.connect_timeout'],
    // nats-server stores QoS 1 messages there. Clients need access, because messages are delivered from there.
    hidden_topics: '$MQTT/',
    cluster_size: cluster.size,
    monitor_password: monitorPassword(spec),
    // Absent without a limit, so that the hash of other deployments does not change.
    ...(broker.rate_limit && { rate_limit: shareOf(broker.rate_limit.bytes_per_second, cluster.size) }),
  };
}

/** Every node serves clients, and the gates do not talk to each other. So each gate has an equal part of the rate. */
const shareOf = (bytesPerSecond: number, nodes: number) => ({
  bytes_per_second: Math.max(1, Math.floor(bytesPerSecond / nodes)),
});

/** The whole file. */
export function natsGateConfig(
  home: NodeHome,
  part: NatsGatePart,
  gate: GateState,
  hash: string,
  spec: NodeSpec,
): NatsGateConfig {
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
