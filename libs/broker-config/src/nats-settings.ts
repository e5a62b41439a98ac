import { fact, flag, integer, type PlainSettings, type ValuesOf } from './broker-setting.js';

const MIB = 1024 * 1024;

/** The settings of nats-server 2.9. Every editable key has an effect that MQTT clients can see. */
export const NATS_SETTINGS = {
  'mqtt.max_packet_size': integer({
    default: MIB,
    min: 1_024,
    max: 8 * MIB,
    unit: 'bytes',
    description: 'Largest MQTT packet, header included; a client that sends a larger one is disconnected.',
  }),
  'mqtt.max_connections': integer({
    default: 1_000,
    min: 1,
    max: 60_000,
    description: 'Clients connected to a node at once; one more is disconnected.',
  }),
  'mqtt.max_subscriptions': integer({
    default: 10_000,
    min: 1,
    max: 1_000_000,
    description: 'Subscriptions of one client; one more is refused in the SUBACK.',
  }),
  'mqtt.ack_wait': integer({
    default: 30,
    min: 1,
    max: 3_600,
    unit: 'seconds',
    description: 'Time that a client has to acknowledge a QoS 1 message before it is sent again.',
  }),
  'mqtt.max_ack_pending': integer({
    default: 1_024,
    min: 1,
    max: 65_535,
    description: 'QoS 1 messages of one subscription that may be unacknowledged; the rest wait.',
  }),
  'mqtt.connect_timeout': integer({
    default: 30,
    min: 1,
    max: 300,
    unit: 'seconds',
    description: 'Time that a new connection has to send its CONNECT packet before it is closed.',
  }),
  'mqtt.max_qos': fact({ default: 1, description: 'Highest quality of service that a client may ask for.' }),
  'jetstream.max_file_store': integer({
    default: 10_240 * MIB,
    min: MIB,
    max: 16_384 * 1_024 * MIB,
    unit: 'bytes',
    description: 'Room for kept messages on a node; when it is full, a QoS 1 publish is not acknowledged.',
  }),
  'http.enabled': flag({
    default: true,
    description: 'Whether the HTTP port is opened (/ping, /stats and the page for browsers).',
  }),
  'websocket.enabled': flag({ default: true, description: 'Whether MQTT over WebSocket is offered.' }),
} as const satisfies PlainSettings;

/** nats-server supports QoS 2 since 2.10. */
export const NATS_2_10_SETTINGS = {
  ...NATS_SETTINGS,
  'mqtt.max_qos': fact({ default: 2, description: NATS_SETTINGS['mqtt.max_qos'].description }),
} as const satisfies PlainSettings;

export type NatsValues = ValuesOf<typeof NATS_SETTINGS>;
