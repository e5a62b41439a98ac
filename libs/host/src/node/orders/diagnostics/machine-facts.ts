import { readFile, readdir, statfs } from 'node:fs/promises';
import { cpus, freemem, loadavg, totalmem, uptime } from 'node:os';
import type { MachineFacts, ProcessFacts } from '@libs/domain';

const KIB = 1024;
/** Clock ticks per second, the unit of CPU time on Linux. */
const TICKS = 100;

/** The current state of the machine. `path` is on the volume with the data. */
export async function machineFacts(path: string, clockOffsetMs: number): Promise<MachineFacts> {
  const volume = await statfs(path).catch(() => null);
  return {
    cpus: cpus().length,
    load: loadavg(),
    memory_total_bytes: totalmem(),
    memory_free_bytes: await availableMemory(),
    disk_total_bytes: volume && volume.blocks * volume.bsize,
    disk_free_bytes: volume && volume.bavail * volume.bsize,
    uptime_seconds: Math.round(uptime()),
    clock_offset_ms: Math.round(clockOffsetMs),
  };
}

/** Memory that programs can get: free memory, and memory that the system can reclaim. */
async function availableMemory(): Promise<number> {
  const available = /^MemAvailable:\s+(\d+) kB/m.exec(await textOf('/proc/meminfo'))?.[1];
  return available ? Number(available) * KIB : freemem();
}

/** The process data of Linux, empty on other systems. A process of another user has less data. */
export async function processFacts(pid: number, startedAt: string | null): Promise<ProcessFacts> {
  const [status, stat, limits, files] = await Promise.all([
    textOf(`/proc/${pid}/status`),
    textOf(`/proc/${pid}/stat`),
    textOf(`/proc/${pid}/limits`),
    readdir(`/proc/${pid}/fd`).catch(() => null),
  ]);
  // The program name in parentheses may contain spaces. utime and stime are the 12th and 13th fields after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return {
    pid,
    started_at: startedAt,
    rss_bytes: toBytes(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]),
    cpu_seconds: Number.isFinite(ticks) ? ticks / TICKS : null,
    threads: toNumber(/^Threads:\s+(\d+)/m.exec(status)?.[1]),
    open_files: files?.length ?? null,
    open_files_limit: toNumber(/^Max open files\s+(\d+)/m.exec(limits)?.[1]),
  };
}

const toNumber = (text: string | undefined): number | null => (text === undefined ? null : Number(text));
const toBytes = (kib: string | undefined): number | null => (kib === undefined ? null : Number(kib) * KIB);

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');
