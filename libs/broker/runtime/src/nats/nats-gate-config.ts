import type { NodeSpec } from '@libs/domain';
import { natsValues } from '@libs/broker/schema';
import type { GateState } from '../broker-runtime.js';
import type { GateConfig } from '../gate/gate-config.js';
import { gateOrder } from '../gate/gate-order.js';
import type { NodePlace } from '../node-place.js';

export interface NatsGateConfig extends GateConfig {
  /** Above 1 the broker is ready only when the nodes have agreed on a leader. */
  cluster_size: number;
}

/** What needs a restart of the gate to change. */
export type NatsGatePart = Pick<
  NatsGateConfig,
  | 'listen'
  | 'credentials'
  | 'max_connections'
  | 'max_packet_bytes'
  | 'connect_timeout'
  | 'hidden_topics'
  | 'cluster_size'
>;

/** The part of the gate in a node's configuration. A port that is switched off is not offered. */
export function natsGatePart({ broker, listen, credentials, cluster }: NodeSpec): NatsGatePart {
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
    credentials: { username: credentials.username, password: credentials.password },
    max_connections: values['mqtt.max_connections'],
    max_packet_bytes: values['mqtt.max_packet_size'],
    connect_timeout: values['mqtt.connect_timeout'],
    // Where nats-server keeps QoS 1 messages; it may not be denied, for they are delivered from there.
    hidden_topics: '$MQTT/',
    cluster_size: cluster.size,
  };
}

/** The whole file. */
export function natsGateConfig(place: NodePlace, part: NatsGatePart, gate: GateState, hash: string): NatsGateConfig {
  return {
    installation: place.installation,
    node_id: place.nodeId,
    dir: place.dir,
    config_hash: hash,
    ...part,
    gate: gateOrder(gate),
  };
}
