// What the processes of an installation cost, from /proc.
import { readdirSync, readFileSync } from 'node:fs';
import { cpuMicroseconds } from '../measure.mjs';

/** Pids of a process and of everything that it started. */
export function treeOf(root) {
  const parents = livingProcesses().map((pid) => [pid, parentOf(pid)]);
  const tree = [root];
  for (const pid of tree) tree.push(...parents.filter(([, parent]) => parent === pid).map(([child]) => child));
  return tree;
}

/** CPU microseconds of each process of the tree so far, by pid. */
export function cpuOf(root) {
  return new Map(treeOf(root).flatMap((pid) => measured(pid, cpuMicroseconds)));
}

/** CPU microseconds of living processes and of their children that have ended. */
export function cpuWithEnded(root) {
  const sum = treeOf(root).flatMap((pid) => measured(pid, (one) => cpuMicroseconds(one) + endedChildren(one)));
  return sum.reduce((total, [, used]) => total + used, 0);
}

/** Proportional memory in bytes by name of the part. Shared pages count once over all processes. */
export function memoryOf(root) {
  const parts = {};
  for (const [pid, bytes] of treeOf(root).flatMap((one) => measured(one, proportionalBytes)))
    parts[partOf(pid)] = (parts[partOf(pid)] ?? 0) + bytes;
  return parts;
}

/** The part of Landlord that a process belongs to. */
export function partOf(pid) {
  const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  if (/postgres(:|\b.* -D )/.test(line)) return 'PostgreSQL';
  return /dist\/(?:apps|libs)\/([a-z-]+)\//.exec(line)?.[1] ?? 'other';
}

/** Empty when the process ended meanwhile. */
function measured(pid, measure) {
  try {
    return [[pid, measure(pid)]];
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return [];
    throw error;
  }
}

const livingProcesses = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

const fieldsOf = (pid) => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

const parentOf = (pid) => measured(pid, (one) => Number(fieldsOf(one)[1]))[0]?.[1] ?? 0;

const endedChildren = (pid) => ((Number(fieldsOf(pid)[13]) + Number(fieldsOf(pid)[14])) * 1e6) / 100;

function proportionalBytes(pid) {
  const [, kib] = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
  return Number(kib) * 1024;
}
