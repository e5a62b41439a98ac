import { aBackup, aNode, anOperation, aSeries, aSnapshot, NOW } from '../../test/snapshot.fixture.js';
import type { ReportNode, SnapshotData } from '../snapshot-data.js';
import { assess, CHECKS } from './assess.js';
import type { Verdict } from './check.js';

const GIB = 1024 ** 3;
const at = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString();
type Diagnostics = NonNullable<ReportNode['told']>;

/** A snapshot in which the second node differs. */
const where = (more: Partial<ReportNode>): SnapshotData => aSnapshot({ nodes: [aNode(1), aNode(2, more), aNode(3)] });
const healthyReport = aNode(2).told as Diagnostics;
const withReport = (more: Partial<Diagnostics>): SnapshotData => where({ told: { ...healthyReport, ...more } });
const broker = (more: object): SnapshotData =>
  where({ runtimes: aNode(2).runtimes.map((runtime) => ({ ...runtime, ...more })) });
const machine = (more: Partial<Diagnostics['machine']>) =>
  withReport({ machine: { ...healthyReport.machine, ...more } });
const cluster = (more: Partial<Diagnostics['cluster']>) =>
  withReport({ cluster: { ...healthyReport.cluster, ...more } });
const versions = (more: Partial<Diagnostics['versions']>) =>
  withReport({ versions: { ...healthyReport.versions, ...more } });
const deployed = (more: Partial<SnapshotData['deployment']>): SnapshotData =>
  aSnapshot({ deployment: { ...aSnapshot().deployment, ...more } });
const rule = (more: Partial<SnapshotData['access_rules'][number]>): SnapshotData =>
  aSnapshot({ access_rules: aSnapshot().access_rules.map((one) => ({ ...one, ...more })) });
const doneBefore = (more: Parameters<typeof anOperation>[0]) => aSnapshot({ operations: [anOperation(more)] });
const gauges = (more: Record<string, number>) => where({ gauges: { ...aNode(2).gauges, ...more } });

function series(window: 'day' | 'week', values: Record<string, (index: number) => number>): SnapshotData {
  const base = aSeries(2, window);
  const own = Object.entries(values).map(([name, of]) => [name, base.at.map((_, index) => of(index))]);
  return aSnapshot({ series: [{ ...base, values: { ...base.values, ...Object.fromEntries(own) } }] });
}

const peer = { name: 'leader', address: '10.0.0.1', port: 20_004, answers: false };
const incident = { kind: 'deadline', detail: 'a step takes long', opened_at: at(-60) };
const rejected = {
  ...{ id: 1, runtime: 'broker', action: 'restart', node_id: 2, status: 'rejected', error: 'it did not start' },
  ...{ created_at: at(-90), finished_at: at(-30) },
};

/** For every check: snapshots with a finding, and the expected verdict. */
const FOUND: [id: string, verdict: Verdict, data: SnapshotData, words?: RegExp][] = [
  [
    'nodes_reachable',
    'bad',
    where({ unreachable_since: at(-600) }),
    /^node-2: unreachable since 2026-11-21 11:50:00 UTC$/,
  ],
  ['nodes_reachable', 'bad', where({ silent_seconds: null })],
  ['nodes_reachable', 'warn', where({ silent_seconds: 45 }), /45 s ago/],
  ['brokers_running', 'bad', broker({ status: 'failed' })],
  ['brokers_running', 'warn', broker({ status: 'starting' })],
  ['connectors_running', 'bad', broker({ runtime: 'connectors', status: 'failed' })],
  ['status_initialized', 'warn', deployed({ status: 'degraded', status_reason: '1 of 3 nodes' }), /degraded: 1 of 3/],
  ['status_initialized', 'bad', deployed({ status: 'failed' })],
  ['broker_restarts', 'warn', broker({ restarts: 2 })],
  ['broker_restarts', 'bad', broker({ restarts: 9 })],
  ['last_errors', 'warn', broker({ last_error: 'the broker was stopped by SIGKILL' }), /SIGKILL/],
  ['broker_uptime', 'warn', broker({ started_at: at(-60) })],
  ['heartbeat_gaps', 'warn', where({ longest_gap_seconds: 300 })],
  ['heartbeat_gaps', 'unknown', where({ longest_gap_seconds: null })],
  ['minutes_heard', 'warn', where({ minutes_heard: 1_300 })],
  ['minutes_heard', 'bad', where({ minutes_heard: 700 })],
  ['clock_skew', 'warn', machine({ clock_offset_ms: -4_000 }), /differs by 4\.0 s/],
  ['clock_skew', 'bad', machine({ clock_offset_ms: 90_000 })],
  [
    'ports_answer',
    'bad',
    withReport({ ports: [{ name: 'tcp', address: '10.0.0.2', port: 20_000, answers: false }] }),
    /tcp 20000/,
  ],
  ['cpu_now', 'bad', gauges({ cpu_percent: 390 })],
  ['cpu_now', 'unknown', where({ gauges: {} })],
  ['cpu_day', 'warn', series('day', { cpu_percent: () => 340 })],
  ['memory_now', 'bad', gauges({ memory_bytes: 3.9 * GIB })],
  ['memory_day', 'warn', series('day', { memory_bytes: () => 3.4 * GIB })],
  ['storage_now', 'warn', withReport({ data: { ...healthyReport.data, bytes: 85 * GIB } })],
  ['storage_growth', 'bad', series('week', { disk_bytes: (index) => 50 * GIB + index * 0.25 * GIB }), /full in about/],
  ['storage_growth', 'unknown', aSnapshot({ series: [] })],
  ['disk_free', 'warn', machine({ disk_free_bytes: 20 * GIB })],
  ['machine_memory', 'bad', machine({ memory_free_bytes: 0.3 * GIB })],
  ['load', 'warn', machine({ load: [9, 9, 9] })],
  [
    'file_descriptors',
    'bad',
    withReport({
      processes: {
        broker: { ...(healthyReport.processes['broker'] as Diagnostics['processes'][string]), open_files: 64_000 },
      },
    }),
  ],
  ['usage_alerts', 'bad', where({ alerts: ['memory'] }), /high memory/],
  ['machine_uptime', 'warn', machine({ uptime_seconds: 60 })],
  ['quorum', 'warn', where({ unreachable_since: at(-600) }), /2 of 3 nodes run/],
  ['quorum', 'bad', aSnapshot({ nodes: [aNode(1), ...[2, 3].map((id) => aNode(id, { unreachable_since: at(-9) }))] })],
  ['odd_nodes', 'warn', aSnapshot({ nodes: [aNode(1), aNode(2)] })],
  ['cluster_size', 'bad', cluster({ size: 5 }), /reports 5 nodes, the deployment has 3/],
  ['leader_reachable', 'bad', cluster({ leader: peer }), /10\.0\.0\.1:20004/],
  ['peers_reachable', 'bad', cluster({ peers: [peer] })],
  ['zones', 'warn', deployed({ availability_mode: 'multi_az' })],
  ['agent_versions', 'warn', where({ agent_version: '0.0.9' }), /1\.4\.2; 0\.0\.9/],
  ['broker_versions', 'warn', versions({ broker: '1.1.0' })],
  ['broker_version_wanted', 'warn', versions({ broker: '1.1.0' }), /runs 1\.1\.0, the document requests 1\.2\.0/],
  ['system_versions', 'warn', versions({ kernel: '5.10.0' })],
  ['generation_applied', 'warn', where({ observed_generation: 3 }), /has applied generation 3, the newest is 8/],
  [
    'config_applied',
    'warn',
    withReport({ config: { id: 4, version: 2, values: {} } }),
    /uses version 2, version 3 is active/,
  ],
  ['config_release', 'warn', where({ version: '1.3.0' })],
  ['credentials_applied', 'warn', withReport({ document: { ...healthyReport.document, credentials_version: 2 } })],
  ['credentials_age', 'warn', deployed({ credentials_since: at(-400 * 86_400) })],
  ['open_to_world', 'warn', rule({ cidr_blocks: ['0.0.0.0/0'] }), /office/],
  ['open_to_world', 'warn', rule({ cidr_blocks: ['::/0'] })],
  ['wide_networks', 'warn', rule({ cidr_blocks: ['32.0.0.0/4'] })],
  ['expiring_rules', 'warn', rule({ valid_to: at(3_600) })],
  ['anybody_let_in', 'warn', rule({ valid_to: at(-3_600) })],
  ['gate_applied', 'warn', withReport({ gate: { ...healthyReport.gate, rules: [] } })],
  ['gate_applied', 'bad', aSnapshot({ access_rules: [] })],
  ['errors_rate', 'warn', where({ errors: 200 }), /200 errors in a day/],
  ['warnings_rate', 'bad', where({ warnings: 20_000 })],
  [
    'recent_errors',
    'warn',
    aSnapshot({
      logs: [
        { node_id: 2, runtime: 'broker', source: 'node', is_cut: false, lines: [[NOW - 9, 'error', 'no leader']] },
      ],
    }),
    /1 error in the last 15 minutes, last: no leader/,
  ],
  ['log_drops', 'warn', where({ log_drops: 3 })],
  ['open_incidents', 'bad', doneBefore({ incident }), /a step takes long/],
  ['failed_operations', 'warn', doneBefore({ status: 'failed', reason: 'no room' }), /take_backup 81 \(no room\)/],
  ['hanging_operations', 'warn', doneBefore({ status: 'running' })],
  ['rejected_activities', 'warn', aSnapshot({ activities: [rejected] }), /it did not start/],
  ['backup_age', 'warn', aSnapshot({ backups: [] })],
  ['backup_age', 'bad', aSnapshot({ backups: [aBackup({ completed_at: at(-40 * 86_400) })] })],
  ['failed_backups', 'bad', aSnapshot({ backups: [aBackup({ status: 'failed' })] })],
  ['nodes_told', 'warn', where({ told: null, missing: 'it was not reachable' })],
  [
    'facts_whole',
    'warn',
    withReport({ failures: [{ what: 'logs', why: 'EACCES' }] }),
    /did not report logs \(EACCES\)/,
  ],
  ['secrets_masked', 'warn', aSnapshot({ snapshot: { ...aSnapshot().snapshot, is_redacted: false } })],
];

describe('The checks of a snapshot', () => {
  it('find nothing in a healthy deployment', () => {
    const { health, counts, results } = assess(aSnapshot());

    expect(results.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
    expect([health, counts]).toEqual(['healthy', { bad: 0, warn: 0, unknown: 0, ok: CHECKS.length }]);
  });

  it.each(FOUND)('%s: %s', (id, verdict, data, words = /./) => {
    const found = assess(data).results.find((result) => result.id === id);

    expect(found).toMatchObject({ verdict, seen: expect.stringMatching(words), advice: expect.stringMatching(/\.$/) });
  });

  it('are each covered by a finding above, and have unique ids', () => {
    const ids = CHECKS.map(({ id }) => id);

    expect([...new Set(FOUND.map(([id]) => id))].sort()).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(30);
  });

  it('are sorted with the worst first, which determines the health', () => {
    const warned = assess(where({ log_drops: 3 }));
    const broken = assess(where({ log_drops: 3, unreachable_since: at(-600) }));

    expect([warned.health, warned.results[0]?.id]).toEqual(['attention', 'log_drops']);
    expect([broken.health, broken.results[0]?.id]).toEqual(['trouble', 'nodes_reachable']);
  });

  it('report `unknown` for a deployment without nodes', () => {
    const { health, results } = assess(aSnapshot({ nodes: [], series: [], logs: [], configs: [], access_rules: [] }));

    expect(results.find(({ id }) => id === 'nodes_reachable')?.verdict).toBe('unknown');
    expect(health).toBe('trouble');
  });

  it('report nothing for a deployment that a user stopped', () => {
    const nodes = [1, 2, 3].map((id) =>
      aNode(id, {
        ...{ is_stopped: true, status: 'stopped' },
        runtimes: aNode(id).runtimes.map((one) => ({ ...one, status: 'stopped' as const, started_at: null })),
      }),
    );
    const { results } = assess(aSnapshot({ nodes, deployment: { ...aSnapshot().deployment, status: 'stopped' } }));

    const verdicts = Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]));
    expect(verdicts).toMatchObject({ brokers_running: 'ok', quorum: 'ok', ports_answer: 'ok', broker_uptime: 'ok' });
  });
});
