// The memory of processes over time: PSS on Linux, which counts shared pages once, otherwise RSS of `ps`.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const MIB = 2 ** 20;
export const MEASURE = existsSync('/proc/self/smaps_rollup') ? 'PSS' : 'RSS';

/** The PID of the first process of PostgreSQL, or null without /proc. */
export async function postmasterOf(sql) {
  if (MEASURE === 'RSS') return null;
  const { rows } = await sql.query('select pg_backend_pid() as pid');
  return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${rows[0].pid}/status`, 'utf8'))[1]);
}

/** Memory of a process in MiB; null if the process has ended. */
export function memoryOf(pid) {
  if (MEASURE === 'RSS') {
    const kib = Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout);
    return kib > 0 ? (kib * 1024) / MIB : null;
  }
  try {
    const [, kib] = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
    return (Number(kib) * 1024) / MIB;
  } catch {
    return null;
  }
}

/** Memory of a process and its children in MiB. */
export function memoryOfFamily(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  return [pid, ...children].reduce((sum, id) => sum + (memoryOf(id) ?? 0), 0);
}

/** Samples `read()` of each source every `everyMs`. `stop()` returns `[{atMs, [name]: MiB or null}]`. */
export function sampleMemory(sources, everyMs) {
  const begun = performance.now();
  const samples = [];
  const take = () => {
    const values = Object.entries(sources).map(([name, read]) => [name, read()]);
    samples.push({ atMs: performance.now() - begun, ...Object.fromEntries(values) });
  };
  take();
  const timer = setInterval(take, everyMs);
  return {
    stop() {
      clearInterval(timer);
      return samples;
    },
  };
}

/** Least-squares slope of points `[x, y]` with its standard error; null for fewer than three points. */
export function slopeOf(points) {
  const n = points.length;
  if (n < 3) return null;
  const mean = (index) => points.reduce((sum, point) => sum + point[index], 0) / n;
  const [meanX, meanY] = [mean(0), mean(1)];
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
  const residuals = points.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  return { slope, standardError: Math.sqrt(residuals / (n - 2) / spread) };
}
