import type { NodeRuntime } from './activities.js';

/** A gauge goes up and down. A counter grows until its runtime restarts. */
export type MetricKind = 'gauge' | 'counter';

/**
 * The metrics of a node's runtime, by the name used in columns, answers and expositions. A metric that the driver does
 * not report is absent, never zero.
 */
export const METRICS = {
  cpu_percent: { kind: 'gauge', help: 'CPU, in percent of one core.' },
  memory_bytes: { kind: 'gauge', help: 'Memory that stands in RAM.' },
  disk_bytes: { kind: 'gauge', help: 'Data on the volume.' },
  messages: { kind: 'gauge', help: 'Messages that are kept.' },
  streams: { kind: 'gauge', help: 'Streams.' },
  topics: { kind: 'gauge', help: 'Topics.' },
  partitions: { kind: 'gauge', help: 'Partitions.' },
  segments: { kind: 'gauge', help: 'Segments of the log on disk.' },
  clients: { kind: 'gauge', help: 'Clients that are connected.' },
  subscriptions: { kind: 'gauge', help: 'Subscriptions of connected clients.' },
  consumer_groups: { kind: 'gauge', help: 'Consumer groups.' },
  messages_in: { kind: 'counter', help: 'Messages from clients since the start of the runtime.' },
  messages_out: { kind: 'counter', help: 'Messages to clients since the start of the runtime.' },
  bytes_in: { kind: 'counter', help: 'Bytes from clients since the start of the runtime.' },
  bytes_out: { kind: 'counter', help: 'Bytes to clients since the start of the runtime.' },
  refused_connections: {
    kind: 'counter',
    help: 'Connections that no access rule allows, since the start of the runtime.',
  },
  refused_logins: { kind: 'counter', help: 'Sign-ins with wrong credentials since the start of the runtime.' },
  messages_moved: { kind: 'counter', help: 'Messages that connectors have moved since their activation.' },
  messages_failed: { kind: 'counter', help: 'Messages that destinations refused for good since the activation.' },
  lag: { kind: 'gauge', help: 'Messages that connectors have received and not delivered.' },
} as const satisfies Record<string, { kind: MetricKind; help: string }>;

export type MetricName = keyof typeof METRICS;
export const METRIC_NAMES = Object.keys(METRICS) as MetricName[];

/** Values by name. A metric that was not reported is absent. */
export type MetricValues = Partial<Record<MetricName, number>>;

/** Other names that drivers use for some metrics. */
const TOLD_AS: Partial<Record<MetricName, string>> = {
  messages_in: 'messages_received',
  messages_out: 'messages_sent',
  bytes_in: 'bytes_received',
  bytes_out: 'bytes_sent',
  refused_connections: 'gate_denied',
};

/** Gauges of the runtime `connectors` have this prefix, because one report contains the gauges of all runtimes. */
export const CONNECTOR_GAUGES = 'connectors_';

/** Returns the metrics of a runtime among the gauges that an agent reports. Other gauges are not stored. */
export function metricsOf(gauges: Readonly<Record<string, number>>, runtime: NodeRuntime = 'broker'): MetricValues {
  const prefix = runtime === 'connectors' ? CONNECTOR_GAUGES : '';
  const named = (name: string): number | undefined => gauges[`${prefix}${name}`];
  const reported = METRIC_NAMES.map((name) => [name, named(name) ?? named(TOLD_AS[name] ?? name)] as const);
  return Object.fromEntries(reported.filter(([, value]) => value !== undefined && Number.isFinite(value)));
}

/** Seconds between two raw rows of a runtime, and between two rolled up rows. */
export const METRIC_STEP_SECONDS = { raw: 60, rolledUp: 300 } as const;
/** Age in hours up to which raw rows are read. Older data is read rolled up. */
export const RAW_METRIC_HOURS = 48;
