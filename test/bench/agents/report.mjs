// The results of the bench of agents as rows with targets, and details that explain them.
import { quantile, round, within } from '../measure.mjs';
import { HAS_TASKSET } from '../world.mjs';

/** Maximum share of time in which the gateway was ready but had no core. The bench itself causes about 0.06. */
const DISTURBED_SHARE = 0.2;

export function report({ agents, seconds, keptPairs, memory, quiet, steady, herd, steal }) {
  const p99 = quantile(steady.delays, 0.99);
  const last = herd.missing > 0 ? Infinity : herd.delays.at(-1);
  const kib = (bytes) => round((bytes - memory.none) / agents / 1024, 1);
  // If other processes used the core of the gateway, a missed target is inconclusive. A met target still counts.
  const row = (name, value, target, waitedShare = 0) => {
    const verdict = within(value, target);
    const isDisturbed = verdict === 'missed' && waitedShare > DISTURBED_SHARE;
    return { name, median: value, target: `≤ ${target}`, verdict: isDisturbed ? 'inconclusive' : verdict };
  };
  return {
    rows: [
      row(`${agents} agents: commit → receipt p99, ms`, steady.missing > 0 ? Infinity : p99, 1_000, steady.waitedShare),
      row('all changed at once: last receipt, s', last / 1000, 10, herd.waitedShare),
      row('memory of the gateway, KiB an agent, parked', kib(memory.parked), 30),
      row('the same with heartbeats and changes', kib(memory.serving), 30),
    ],
    detail: {
      agents,
      seconds,
      pinned: HAS_TASKSET,
      agents_keeping_both_connections: keptPairs,
      rss_mib: Object.fromEntries(Object.entries(memory).map(([name, bytes]) => [name, round(bytes / 2 ** 20, 0)])),
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
