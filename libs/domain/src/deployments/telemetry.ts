/** How a value behaves: a gauge goes up and down, a counter grows until its runtime is started again. */
export type MetricKind = 'gauge' | 'counter';

/**
 * What is known of a node's runtime, by the name it has everywhere: in columns, answers and expositions. A driver tells
 * what it knows; what it does not tell is absent, never zero.
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
  consumer_groups: { kind: 'gauge', help: 'Consumer groups.' },
  messages_in: { kind: 'counter', help: 'Messages from clients since the start of the runtime.' },
  messages_out: { kind: 'counter', help: 'Messages to clients since the start of the runtime.' },
  bytes_in: { kind: 'counter', help: 'Bytes from clients since the start of the runtime.' },
  bytes_out: { kind: 'counter', help: 'Bytes to clients since the start of the runtime.' },
} as const satisfies Record<string, { kind: MetricKind; help: string }>;

export type MetricName = keyof typeof METRICS;
export const METRIC_NAMES = Object.keys(METRICS) as MetricName[];

/** Values by name; absent is what nobody told. */
export type MetricValues = Partial<Record<MetricName, number>>;

/** What drivers call some of them. */
const TOLD_AS: Partial<Record<MetricName, string>> = {
  messages_in: 'messages_received',
  messages_out: 'messages_sent',
  bytes_in: 'bytes_received',
  bytes_out: 'bytes_sent',
};

/** The metrics among the gauges that an agent reports; no other is kept. */
export function metricsOf(gauges: Readonly<Record<string, number>>): MetricValues {
  const told = METRIC_NAMES.map((name) => [name, gauges[name] ?? gauges[TOLD_AS[name] ?? name]] as const);
  return Object.fromEntries(told.filter(([, value]) => value !== undefined && Number.isFinite(value)));
}

/** Seconds between two raw rows of a runtime, and between two of the rolled up ones. */
export const METRIC_STEP_SECONDS = { raw: 60, rolledUp: 300 } as const;
/** How long raw rows are read, in hours; what is older is read rolled up. */
export const RAW_METRIC_HOURS = 48;
