import type { LogLevel, LogRuntime } from '@libs/domain';
import type { ReportLine, ReportNode, ReportSeries, SnapshotData } from '../src/snapshot-data.js';

const GIB = 1024 ** 3;
export const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const ago = (seconds: number): string => new Date(NOW - seconds * 1000).toISOString();
const HOUR = 3_600;
const DAY = 24 * HOUR;

/** A healthy node of three, with its report. */
export function aNode(ordinal: number, more: Partial<ReportNode> = {}): ReportNode {
  return {
    ...{ id: ordinal, name: `node-${ordinal}`, ordinal, role: ordinal === 1 ? 'leader' : 'follower' },
    ...{ driver: 'embedded', version: '1.2.0', variant: 'small', status: 'running', status_reason: null },
    ...{ agent_version: '1.4.2', zone: 'us-east-1a', memory_mib: 4096, storage_size: 100 },
    ...{ last_seen_at: ago(4), silent_seconds: 4, unreachable_since: null, is_stopped: false },
    ...{ wanted_generation: 8, observed_generation: 7, alerts: [], minutes_heard: 1_440, longest_gap_seconds: 61 },
    ...{ warnings: 2, errors: 0, log_drops: 0, missing: null, data_file: `broker-data-node-${ordinal}.zip` },
    runtimes: [
      {
        ...{ runtime: 'broker', status: 'running', version: '1.2.0', started_at: ago(3 * DAY), pid: 4000 + ordinal },
        ...{ restarts: 0, last_error: null },
      },
    ],
    gauges: {
      cpu_percent: 12.3 * ordinal,
      memory_bytes: 0.4 * GIB,
      disk_bytes: 2 * GIB,
      clients: 40,
      messages: 120_000,
    },
    told: toldBy(ordinal),
    ...more,
  };
}

function toldBy(ordinal: number): NonNullable<ReportNode['told']> {
  const facts = { rss_bytes: 90 * 1024 ** 2, cpu_seconds: 812, threads: 11, open_files: 61, open_files_limit: 65_536 };
  const generation = { timeline: 1, generation: 8, hash: 'c0ffee' };
  return {
    ...{ format: 1, node_id: ordinal, taken_at: ago(5), is_redacted: true },
    versions: {
      ...{ agent: '1.4.2', node_js: 'v20.20.0', os: 'Linux', kernel: '6.12.0', arch: 'x64' },
      ...{ broker_driver: 'embedded', broker_wanted: '1.2.0', broker: '1.2.0' },
    },
    machine: {
      ...{ cpus: 4, load: [0.4, 0.5, 0.6], memory_total_bytes: 16 * GIB, memory_free_bytes: 9 * GIB },
      ...{ disk_total_bytes: 200 * GIB, disk_free_bytes: 150 * GIB, uptime_seconds: 20 * DAY, clock_offset_ms: 12 },
    },
    processes: {
      agent: { pid: 300 + ordinal, started_at: ago(9 * DAY), ...facts },
      broker: { pid: 4000 + ordinal, started_at: ago(3 * DAY), ...facts },
    },
    runtimes: [],
    config: { id: 5, version: 3, values: { 'mqtt.keep_alive': 60, 'auth.password': '********' } },
    limits: { memory_mib: 4096, storage_mib: 102_400 },
    environment: { PATH: '/usr/bin', NODE_ENV: 'production' },
    gate: {
      mode: 'inline',
      generation: 8,
      rules: [{ id: 1, cidrs: ['10.2.0.0/16'], protocols: ['tcp'], valid_to: null }],
    },
    cluster: {
      ...{ size: 3, ordinal, peers: [] },
      leader: ordinal === 1 ? null : { name: 'leader', address: '10.0.0.1', port: 20_004, answers: true },
    },
    ports: ['tcp', 'http', 'websocket'].map((name, index) => ({
      ...{ name, address: `10.0.0.${ordinal}`, port: 20_000 + index, answers: true },
    })),
    data: { bytes: 2 * GIB, files: 42, directories: 3, entries: [{ path: 'store/CURRENT', bytes: 16 }] },
    document: { wanted: generation, observed: generation, want: 'running', credentials_version: 1 },
    gauges: { clients: 40 },
    failures: [],
  };
}

/** A deterministic wave. */
const wave = (index: number, ordinal: number): number => Math.sin(index / 20 + ordinal) + Math.sin(index / 7) / 3;

export function aSeries(nodeId: number, window: ReportSeries['window']): ReportSeries {
  const [step, count] = window === 'day' ? [300, 288] : [HOUR, 168];
  const at = Array.from({ length: count }, (_, index) => NOW / 1000 - (count - index) * step);
  const values = (of: (index: number) => number): number[] => at.map((_, index) => of(index));
  return {
    ...{ node_id: nodeId, runtime: 'broker', window, at },
    values: {
      cpu_percent: values((index) => 40 + 20 * wave(index, nodeId)),
      memory_bytes: values((index) => (0.4 + 0.05 * wave(index, nodeId)) * GIB),
      disk_bytes: values((index) => 2 * GIB + index * 1e5),
      clients: values((index) => Math.round(40 + 10 * wave(index, nodeId))),
      messages_in: values((index) => index * 60_000 + 9_000 * wave(index, nodeId)),
      bytes_in: values((index) => index * 9_000_000 + 900_000 * wave(index, nodeId)),
    },
  };
}

const WORDS: readonly [LogLevel, string][] = [
  ['info', 'client connected client=sensor-17 protocol=tcp'],
  ['info', 'client left client=sensor-17'],
  ['debug', 'kept alive'],
  ['warn', 'a client publishes faster than it is read topic=plant/3/temperature'],
  ['error', 'packet refused reason=not authorized client=unknown'],
];

export function someLines(count: number, stepMs = 997): ReportLine[] {
  return Array.from({ length: count }, (_, index) => {
    const [level, words] = WORDS[index % 97 === 0 ? 4 : index % 23 === 0 ? 3 : index % 3] ?? WORDS[0]!;
    return [NOW - (count - index) * stepMs - 1_000_000, level, `${words} n=${index}`];
  });
}

const logsOf = (nodeId: number, runtime: LogRuntime, count: number): SnapshotData['logs'][number] => ({
  ...{ node_id: nodeId, runtime, source: 'node', is_cut: count >= 2_000, lines: someLines(count) },
});

const SNAPSHOT: SnapshotData['snapshot'] = {
  ...{ id: 7, name: 'orders-20261121-120000', created_at: ago(9), built_at: new Date(NOW).toISOString() },
  ...{ is_redacted: true, wants_data: true },
};

const DEPLOYMENT: SnapshotData['deployment'] = {
  ...{ id: 3, name: 'orders', code: 'q7x2m9ab', cloud: 'aws', region: 'us-east-1', tier: 'small' },
  ...{ availability_mode: 'single_az', storage_type: 'network_balanced', storage_size: 100 },
  ...{ status: 'initialized', status_reason: null, status_since: ago(9 * DAY), network_mode: 'public' },
  ...{ credentials_since: ago(30 * DAY), can_be_backed_up: true },
};

const CONFIG: SnapshotData['configs'][number] = {
  ...{ id: 5, name: 'broker', version: 3, is_primary: true, runtime_version: '1.2.0', created_at: ago(5 * DAY) },
  values: { 'mqtt.keep_alive': 60, 'auth.password': '********' },
};

export const anOperation = (more: Partial<SnapshotData['operations'][number]>): SnapshotData['operations'][number] => ({
  ...{ id: 81, type: 'take_backup', status: 'succeeded', step: 'uploading', reason: null, last_error: null },
  ...{ created_at: ago(DAY), finished_at: ago(DAY - 40), incident: null },
  ...more,
});

export const aBackup = (more: Partial<SnapshotData['backups'][number]> = {}): SnapshotData['backups'][number] => ({
  ...{ id: 4, name: 'nightly', status: 'completed', size_bytes: 2.1 * GIB },
  ...{ created_at: ago(DAY), completed_at: ago(DAY - 40) },
  ...more,
});

/** A healthy deployment of three nodes. */
export function aSnapshot(more: Partial<SnapshotData> = {}): SnapshotData {
  const nodes = [aNode(1), aNode(2), aNode(3)];
  return {
    format: 1,
    snapshot: SNAPSHOT,
    deployment: DEPLOYMENT,
    nodes,
    series: nodes.flatMap(({ id }) => [aSeries(id, 'day'), aSeries(id, 'week')]),
    access_rules: [{ id: 1, name: 'office', cidr_blocks: ['10.2.0.0/16'], protocols: ['tcp'], valid_to: null }],
    configs: [CONFIG],
    operations: [
      anOperation({ id: 90, type: 'take_snapshot', status: 'running', created_at: ago(9) }),
      anOperation({}),
    ],
    activities: [],
    backups: [aBackup()],
    logs: nodes.flatMap(({ id }) => [logsOf(id, 'broker', 2_000), logsOf(id, 'agent', 600)]),
    ...more,
  };
}
