// The results of the bench of agents as rows with targets, and details that explain them.
import { quantile, round, within } from '../measure.mjs';
import { HAS_TASKSET } from '../world.mjs';

/** Maximum share of time in which the gateway was ready but had no core. The bench itself causes about 0.06. */
const DISTURBED_SHARE = 0.2;

const HERD_SECONDS = 5;
const STORM_SECONDS = 30;
/** Memory of a parked agent by that of a connection of a bare server. */
const MEMORY_RATIO = 1.5;

export function report({ agents, seconds, tls, keptPairs, memory, bare, quiet, steady, herd, stormed, steal }) {
  const p99 = quantile(steady.delays, 0.99);
  const last = herd.missing > 0 ? Infinity : herd.delays.at(-1);
  const kib = (bytes) => round((bytes - memory.none) / agents / 1024, 1);
  const parkedRatio = (memory.parked - memory.none) / agents / bare[tls ? 'tls' : 'net'];
  // If other processes used the core of the gateway, a missed target is inconclusive. A met target still counts.
  const row = (name, value, target, waitedShare = 0) => {
    const verdict = within(value, target);
    const isDisturbed = verdict === 'missed' && waitedShare > DISTURBED_SHARE;
    return { name, median: value, target: `≤ ${target}`, verdict: isDisturbed ? 'inconclusive' : verdict };
  };
  return {
    rows: [
      row(`${agents} agents: commit → receipt p99, ms`, steady.missing > 0 ? Infinity : p99, 1_000, steady.waitedShare),
      row('all changed at once: last receipt, s', last / 1000, HERD_SECONDS, herd.waitedShare),
      // The target compares with node:tls. A connection without TLS costs a bare server almost nothing.
      tls
        ? row('memory of a parked agent by a connection of bare node:tls', parkedRatio, MEMORY_RATIO)
        : { name: 'memory of a parked agent by a connection of bare node:net', median: parkedRatio },
      row('storm: all agents are back, s after the gateway is ready', stormed.fromReady, STORM_SECONDS),
      row('storm: answers with 5xx', stormed.refusedByServer, 0),
    ],
    detail: {
      agents,
      seconds,
      tls,
      pinned: HAS_TASKSET,
      agents_keeping_both_connections: keptPairs,
      rss_mib: Object.fromEntries(Object.entries(memory).map(([name, bytes]) => [name, round(bytes / 2 ** 20, 0)])),
      kib_an_agent: { parked: kib(memory.parked), serving: kib(memory.serving) },
      kib_a_bare_connection: { net: round(bare.net / 1024, 1), tls: round(bare.tls / 1024, 1) },
      storm: { ...stormed, fromKill: round(stormed.fromKill, 1), fromReady: round(stormed.fromReady, 1) },
      heartbeats_alone: figures(quiet),
      changes: {
        ...figures(steady),
        commit_ms: ms99(steady.commitMs),
        published_per_second: round(steady.publishedPerSecond, 0),
      },
      herd: {
        ...figures(herd),
        composing_s: round(herd.composedMs / 1000, 1),
        recorded_s: round(herd.recordedMs / 1000, 1),
      },
    },
    steal_share: round(steal, 4),
  };
}

function figures(run) {
  const ms = (values, q) => (values.length > 0 ? round(quantile(values, q), 1) : null);
  const reports = [...run.reports].sort((a, b) => a - b);
  return {
    seconds: round(run.elapsed, 1),
    gateway_cpu_share_of_a_core: round(run.cpuShare),
    gateway_waited_for_its_core: round(run.waitedShare),
    statuses_per_second: round((reports.length + run.newReports.length) / run.elapsed, 0),
    status_answer_ms: { p50: ms(reports, 0.5), p99: ms(reports, 0.99) },
    nodes_written_per_second: round(run.written, 0),
    writing_statements_per_second: round(run.flushes, 1),
    transactions_per_second: round(run.commitsPerSecond, 0),
    deadlocks: run.deadlocks,
    problems: run.problems,
    simulator_lag_ms_p99: run.lagMs,
    busy_backends: run.waits,
    ...(run.published && {
      published: run.published,
      failures: run.failures.length > 0 ? { count: run.failures.length, first: run.failures[0] } : 0,
      missing: run.missing,
      receipt_ms: { p50: ms(run.delays, 0.5), p99: ms(run.delays, 0.99), last: ms(run.delays, 1) },
    }),
  };
}

function ms99(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return { p50: round(quantile(sorted, 0.5), 1), p99: round(quantile(sorted, 0.99), 1) };
}
