// The method of all benches: all variants run at the same time, in short alternating slices, with ratios within a
// round.
import { readdirSync, readFileSync } from 'node:fs';

/**
 * CPU microseconds (user + system) that the living threads of a process have used so far. `/proc/<pid>/stat` counts in
 * ticks of 10 ms, which is too coarse for a slice of a slow route.
 */
export function cpuMicroseconds(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, id) => sum + onCpuNanoseconds(`/proc/${pid}/task/${id}`) / 1000, 0);
}

function onCpuNanoseconds(task) {
  try {
    return Number(readFileSync(`${task}/schedstat`, 'utf8').split(' ')[0]);
  } catch {
    // The thread ended between the two reads.
    return 0;
  }
}

/** Share of all CPU time that the hypervisor took from this machine since `before` (an earlier result). */
export function stealShare(before) {
  const [user, nice, system, idle, iowait, irq, softirq, steal] = readFileSync('/proc/stat', 'utf8')
    .split('\n')[0]
    .split(/\s+/)
    .slice(1)
    .map(Number);
  const now = { steal, total: user + nice + system + idle + iowait + irq + softirq + steal };
  return { now, share: before ? (now.steal - before.steal) / Math.max(1, now.total - before.total) : 0 };
}

/**
 * Microseconds in which the main thread of a process was ready to run but had no core, because other processes used it.
 */
export function waitedMicroseconds(pid) {
  const [, waited] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
  return Number(waited) / 1000;
}

/** Memory of a process in RAM, in bytes. */
export function residentBytes(pid) {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kib) * 1024;
}

/** Quantile of ascending values; `q` from 0 to 1. */
export const quantile = (sorted, q) => {
  const at = (sorted.length - 1) * q;
  const low = Math.floor(at);
  return sorted[low] + (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]) * (at - low);
};

/** Median with quartiles; a spread above 0.35 of the median is inconclusive. */
export function summary(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const [q1, median, q3] = [0.25, 0.5, 0.75].map((q) => quantile(sorted, q));
  const spread = (q3 - q1) / median;
  return { median, q1, q3, spread, rounds: values.length };
}

/** Compares a ratio with its minimum. */
export function verdict({ median, spread }, target) {
  if (spread > 0.35) return 'inconclusive';
  return median >= target ? 'met' : 'missed';
}

/** Compares a ratio with its maximum. */
export function verdictAtMost({ median, spread }, target) {
  if (spread > 0.35) return 'inconclusive';
  return within(median, target);
}

/** Compares a value with its maximum. */
export const within = (value, target) => (value <= target ? 'met' : 'missed');

export const round = (value, digits = 2) => Number(value.toFixed(digits));
