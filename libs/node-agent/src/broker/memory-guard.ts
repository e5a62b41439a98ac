import { readFile } from 'node:fs/promises';

const LOOK_MS = 1000;
const MIB = 1024 * 1024;

/**
 * Holds a process to the memory that it may have, whatever kind of process it is: one that has more is ended and started again,
 * as a kernel does where the node is a machine of its own. Looks at most once a second; knows nothing where there is no
 * /proc.
 */
export class MemoryGuard {
  private lookedAtMs = 0;

  constructor(private readonly who = 'the broker') {}

  /** Why the process has to end; null when it need not, or it is not time to look. */
  async excess(pid: number, limitMib: number | undefined): Promise<string | null> {
    if (limitMib === undefined || Date.now() - this.lookedAtMs < LOOK_MS) return null;
    this.lookedAtMs = Date.now();
    const used = await residentBytes(pid);
    if (used === null || used <= limitMib * MIB) return null;
    return `${this.who} used ${Math.ceil(used / MIB)} MiB of memory, and its node has ${limitMib} MiB`;
  }
}

/** Memory of the process that stands in RAM; null when it is gone, or where nobody tells. */
async function residentBytes(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kib === undefined ? null : Number(kib) * 1024;
}
