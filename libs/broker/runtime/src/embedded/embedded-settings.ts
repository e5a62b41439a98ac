/** One key of `broker.config.values` that the embedded broker honours. */
export interface EmbeddedSetting<T extends number | boolean = number | boolean> {
  default: T;
  min?: number;
  max?: number;
  unit?: 'bytes' | 'seconds';
  restart_required: boolean;
  description: string;
}

const number = (spec: Omit<EmbeddedSetting<number>, 'restart_required'>) => ({ ...spec, restart_required: true });
const flag = (spec: Omit<EmbeddedSetting<boolean>, 'restart_required'>) => ({ ...spec, restart_required: true });

/** The whole of what can be configured on the embedded broker; every key changes something that a client can see. */
export const EMBEDDED_SETTINGS = {
  'mqtt.max_packet_size': number({
    default: 1_048_576,
    min: 1_024,
    max: 268_435_455,
    unit: 'bytes',
    description: 'Largest MQTT packet, header included; a client that sends a larger one is disconnected.',
  }),
  'mqtt.keepalive_limit': number({
    default: 0,
    min: 0,
    max: 65_535,
    unit: 'seconds',
    description: 'Longest keep-alive that a client may ask for; more, or none, is refused. 0 accepts everything.',
  }),
  'mqtt.max_connections': number({
    default: 1_000,
    min: 1,
    max: 100_000,
    description: 'Clients connected at once; one more is answered "server unavailable".',
  }),
  'mqtt.concurrency': number({
    default: 100,
    min: 1,
    max: 10_000,
    description: 'Messages delivered at once; the rest wait in memory.',
  }),
  'mqtt.heartbeat_interval': number({
    default: 60,
    min: 1,
    max: 3_600,
    unit: 'seconds',
    description: 'Interval of the message on $SYS/{broker}/heartbeat.',
  }),
  'mqtt.connect_timeout': number({
    default: 30,
    min: 1,
    max: 300,
    unit: 'seconds',
    description: 'Time that a new connection has to send its CONNECT packet before it is closed.',
  }),
  'mqtt.drain_timeout': number({
    default: 60,
    min: 1,
    max: 3_600,
    unit: 'seconds',
    description: 'Time that a client may leave its messages unread before it is disconnected.',
  }),
  'mqtt.max_topic_levels': number({
    default: 100,
    min: 1,
    max: 100,
    description: 'Deepest topic; publishing or subscribing below it disconnects the client.',
  }),
  'mqtt.max_inflight_inbound': number({
    default: 1_000,
    min: 1,
    max: 65_535,
    description: 'QoS 2 messages that one client may leave unreleased before it is disconnected.',
  }),
  'mqtt.retain_enabled': flag({
    default: true,
    description: 'Whether the retain flag of a message is honoured; otherwise the message is delivered unretained.',
  }),
  'http.enabled': flag({ default: true, description: 'Whether the HTTP port is opened (/ping and /stats).' }),
  'websocket.enabled': flag({ default: true, description: 'Whether MQTT over WebSocket is offered.' }),
} as const satisfies Record<string, EmbeddedSetting>;

export type EmbeddedSettingName = keyof typeof EMBEDDED_SETTINGS;
/** A value for every key. */
export type EmbeddedValues = {
  [K in EmbeddedSettingName]: (typeof EMBEDDED_SETTINGS)[K]['default'] extends boolean ? boolean : number;
};

/**
 * Values with defaults filled in. Unknown keys are ignored; a value of the wrong type counts as absent and a number
 * outside its range is brought to the nearer end: the schema refused it before, and a broker that runs is worth more.
 */
export function embeddedValues(given: Record<string, unknown>): EmbeddedValues {
  const entries = Object.entries(EMBEDDED_SETTINGS).map(([name, setting]) => [name, valueOf(setting, given[name])]);
  return Object.fromEntries(entries) as EmbeddedValues;
}

function valueOf(setting: EmbeddedSetting, given: unknown): number | boolean {
  if (typeof given !== typeof setting.default) return setting.default;
  if (typeof given === 'boolean') return given;
  if (typeof given !== 'number' || !Number.isFinite(given)) return setting.default;
  return Math.min(Math.max(Math.trunc(given), setting.min ?? 0), setting.max ?? Number.MAX_SAFE_INTEGER);
}
