// The figures of a run, from the results of requests and the samples of memory.
import { quantile, round } from '../bench/measure.mjs';
import { slopeOf } from './memory.mjs';

const HOUR_MS = 3_600_000;
/** The first part of a run warms up; the slope leaves it out. */
const WARM_UP_SHARE = 0.2;
const MOMENTS = [0, 0.25, 0.5, 0.75, 1];

/** One row per kind: throughput, latency, errors. */
export function rowsOfRequests(results, kinds, seconds) {
  return Object.fromEntries(
    Object.keys(kinds).map((kind) => {
      const all = results.filter((result) => result.kind === kind);
      const sorted = all.map(({ latencyMs }) => latencyMs).sort((a, b) => a - b);
      const answered = all.filter(({ error }) => error === undefined);
      const row = {
        requests: all.length,
        per_second: round(answered.length / seconds),
        p50_ms: round(quantile(sorted, 0.5), 1),
        p99_ms: round(quantile(sorted, 0.99), 1),
        max_ms: round(sorted.at(-1), 1),
        retried: all.filter(({ retries }) => retries > 0).length,
        errors: all.length - answered.length,
      };
      return [kind, row];
    }),
  );
}

/** How often each error happened, by kind. */
export function countErrors(results) {
  const counts = {};
  for (const { kind, error } of results) {
    if (error === undefined) continue;
    counts[`${kind}: ${error}`] = (counts[`${kind}: ${error}`] ?? 0) + 1;
  }
  return counts;
}

/** One row per process: MiB at five moments. Processes that are not in `killed` have a slope. */
export function rowsOfMemory(samples, killed) {
  const names = Object.keys(samples[0]).filter((name) => name !== 'atMs');
  return Object.fromEntries(names.map((name) => [name, rowOfMemory(samples, name, killed.includes(name))]));
}

function rowOfMemory(samples, name, isKilled) {
  const row = {};
  for (const moment of MOMENTS) {
    const value = samples[Math.round((samples.length - 1) * moment)][name];
    row[`at ${moment * 100} %`] = value === null ? 'restarts' : round(value, 1);
  }
  const points = samples
    .filter((sample) => sample.atMs >= samples.at(-1).atMs * WARM_UP_SHARE && sample[name] !== null)
    .map((sample) => [sample.atMs / HOUR_MS, sample[name]]);
  const fit = isKilled ? null : slopeOf(points);
  row.mib_per_hour = fit ? round(fit.slope, 1) : 'killed';
  row.standard_error = fit ? round(fit.standardError, 1) : '';
  return row;
}
