import { fact, flag, integer, type PlainSettings, type ValuesOf } from './broker-setting.js';

/** All settings of the embedded broker. Every key has an effect that clients can see. */
export const EMBEDDED_SETTINGS = {
  'mqtt.max_packet_size': integer({
    default: 1_048_576,
    min: 1_024,
    max: 268_435_455,
    unit: 'bytes',
    description: 'Largest MQTT packet, header included; a client that sends a larger one is disconnected.',
  }),
  'mqtt.keepalive_limit': integer({
    default: 0,
    min: 0,
    max: 65_535,
    unit: 'seconds',
    description: 'Longest keep-alive that a client may ask for; more, or none, is refused. 0 accepts everything.',
  }),
  'mqtt.max_connections': integer({
    default: 1_000,
    min: 1,
    max: 100_000,
    description: 'Clients connected at once; one more is answered "server unavailable".',
  }),
  'mqtt.concurrency': integer({
    default: 100,
    min: 1,
    max: 10_000,
    description: 'Messages delivered at once; the rest wait in memory.',
  }),
  'mqtt.heartbeat_interval': integer({
    default: 60,
    min: 1,
    max: 3_600,
    unit: 'seconds',
    description: 'Interval of the message on $SYS/{broker}/heartbeat.',
  }),
  'mqtt.connect_timeout': integer({
    default: 30,
    min: 1,
    max: 300,
    unit: 'seconds',
    description: 'Time that a new connection has to send its CONNECT packet before it is closed.',
  }),
  'mqtt.drain_timeout': integer({
    default: 5,
    min: 1,
    max: 3_600,
    unit: 'seconds',
    description: 'Time that a client may leave its messages unread before it is disconnected.',
  }),
  'mqtt.max_topic_levels': integer({
    default: 100,
    min: 1,
    max: 100,
    description: 'Deepest topic; publishing or subscribing below it disconnects the client.',
  }),
  'mqtt.max_inflight_inbound': integer({
    default: 1_000,
    min: 1,
    max: 65_535,
    description: 'QoS 2 messages that one client may leave unreleased before it is disconnected.',
  }),
  'mqtt.retain_enabled': flag({
    default: true,
    description: 'Whether the retain flag of a message is honoured; otherwise the message is delivered unretained.',
  }),
  'mqtt.max_qos': fact({ default: 2, description: 'Highest quality of service that a client may ask for.' }),
  'http.enabled': flag({
    default: true,
    description: 'Whether the HTTP port is opened (/ping, /stats and the page for browsers).',
  }),
  'websocket.enabled': flag({ default: true, description: 'Whether MQTT over WebSocket is offered.' }),
} as const satisfies PlainSettings;

export type EmbeddedValues = ValuesOf<typeof EMBEDDED_SETTINGS>;
