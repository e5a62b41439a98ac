import { readFile } from 'node:fs/promises';

const LOOK_MS = 1000;
const MIB = 1024 * 1024;

/**
 * Limits the memory of a process. A process above its limit is killed and started again, like a kernel does on a separate
 * machine. Checks at most once a second. Has no effect without /proc.
 */
export class MemoryGuard {
  private lookedAtMs = 0;

  constructor(private readonly who = 'the broker') {}

  /** The reason why the process must be killed. Null when it is within its limit, or when no check is due. */
  async excess(pid: number, limitMib: number | undefined): Promise<string | null> {
    if (limitMib === undefined || Date.now() - this.lookedAtMs < LOOK_MS) return null;
    this.lookedAtMs = Date.now();
    const used = await residentBytes(pid);
    if (used === null || used <= limitMib * MIB) return null;
    return `${this.who} used ${Math.ceil(used / MIB)} MiB of memory, and its node has ${limitMib} MiB`;
  }
}

/** Resident memory of the process. Null when it has ended, or where the system does not report it. */
async function residentBytes(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kib === undefined ? null : Number(kib) * 1024;
}
