import type { PlainSettings, ValuesOf } from './broker-setting.js';
import { count, fact, toggle } from './setting-kinds.js';

/** All settings of the embedded broker. Every key has an effect that clients can see. */
export const EMBEDDED_SETTINGS = {
  'mqtt.max_packet_size': count(
    1_048_576,
    'Largest MQTT packet, header included; a client that sends a larger one is disconnected.',
    { min: 1_024, max: 268_435_455, unit: 'bytes' },
  ),
  'mqtt.keepalive_limit': count(
    0,
    'Longest keep-alive that a client may ask for; more, or none, is refused. 0 accepts everything.',
    { min: 0, max: 65_535, unit: 'seconds' },
  ),
  'mqtt.max_connections': count(1_000, 'Clients connected at once; one more is answered "server unavailable".', {
    min: 1,
    max: 100_000,
  }),
  'mqtt.concurrency': count(100, 'Messages delivered at once; the rest wait in memory.', { min: 1, max: 10_000 }),
  'mqtt.heartbeat_interval': count(60, 'Interval of the message on $SYS/{broker}/heartbeat.', {
    min: 1,
    max: 3_600,
    unit: 'seconds',
  }),
  'mqtt.connect_timeout': count(30, 'Time that a new connection has to send its CONNECT packet before it is closed.', {
    min: 1,
    max: 300,
    unit: 'seconds',
  }),
  'mqtt.drain_timeout': count(5, 'Time that a client may leave its messages unread before it is disconnected.', {
    min: 1,
    max: 3_600,
    unit: 'seconds',
  }),
  'mqtt.max_topic_levels': count(100, 'Deepest topic; publishing or subscribing below it disconnects the client.', {
    min: 1,
    max: 100,
  }),
  'mqtt.max_inflight_inbound': count(
    1_000,
    'QoS 2 messages that one client may leave unreleased before it is disconnected.',
    { min: 1, max: 65_535 },
  ),
  'mqtt.retain_enabled': toggle(
    true,
    'Whether the retain flag of a message is honoured; otherwise the message is delivered unretained.',
  ),
  'mqtt.max_qos': fact(2, 'Highest quality of service that a client may ask for.'),
  'http.enabled': toggle(true, 'Whether the HTTP port is opened (/ping, /stats and the page for browsers).'),
  'websocket.enabled': toggle(true, 'Whether MQTT over WebSocket is offered.'),
} as const satisfies PlainSettings;

export type EmbeddedValues = ValuesOf<typeof EMBEDDED_SETTINGS>;
