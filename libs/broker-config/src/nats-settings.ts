import type { PlainSettings, ValuesOf } from './broker-setting.js';
import { count, fact, toggle } from './setting-kinds.js';

const MIB = 1024 * 1024;

/** The settings of nats-server 2.9. Every editable key has an effect that MQTT clients can see. */
export const NATS_SETTINGS = {
  'mqtt.max_packet_size': count(
    MIB,
    'Largest MQTT packet, header included; a client that sends a larger one is disconnected.',
    { min: 1_024, max: 8 * MIB, unit: 'bytes' },
  ),
  'mqtt.max_connections': count(1_000, 'Clients connected to a node at once; one more is disconnected.', {
    min: 1,
    max: 60_000,
  }),
  'mqtt.max_subscriptions': count(10_000, 'Subscriptions of one client; one more is refused in the SUBACK.', {
    min: 1,
    max: 1_000_000,
  }),
  'mqtt.ack_wait': count(30, 'Time that a client has to acknowledge a QoS 1 message before it is sent again.', {
    min: 1,
    max: 3_600,
    unit: 'seconds',
  }),
  'mqtt.max_ack_pending': count(
    1_024,
    'QoS 1 messages of one subscription that may be unacknowledged; the rest wait.',
    { min: 1, max: 65_535 },
  ),
  'mqtt.connect_timeout': count(30, 'Time that a new connection has to send its CONNECT packet before it is closed.', {
    min: 1,
    max: 300,
    unit: 'seconds',
  }),
  'mqtt.max_qos': fact(1, 'Highest quality of service that a client may ask for.'),
  'jetstream.max_file_store': count(
    10_240 * MIB,
    'Room for kept messages on a node; when it is full, a QoS 1 publish is not acknowledged.',
    { min: MIB, max: 16_384 * 1_024 * MIB, unit: 'bytes' },
  ),
  'http.enabled': toggle(true, 'Whether the HTTP port is opened (/ping, /stats and the page for browsers).'),
  'websocket.enabled': toggle(true, 'Whether MQTT over WebSocket is offered.'),
} as const satisfies PlainSettings;

/** nats-server supports QoS 2 since 2.10. */
export const NATS_2_10_SETTINGS = {
  ...NATS_SETTINGS,
  'mqtt.max_qos': fact(2, NATS_SETTINGS['mqtt.max_qos'].description),
} as const satisfies PlainSettings;

export type NatsValues = ValuesOf<typeof NATS_SETTINGS>;
