// The method of all benches: all variants run at the same time, in short alternating slices, with ratios within a
// round.
import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** CPU microseconds (user + system) that a process has used so far. */
export function cpuMicroseconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1e6) / TICKS_PER_SECOND;
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
