import { constants } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BrokerError } from './broker-error.js';
import { signalProcesses } from '../os/end-processes.js';
import { type ProcessMark } from '../os/process-table.js';

/** Clients and other nodes tolerate a pause of this length. */
const DEADLINE_MS = 20_000;

/** A directory, and what its copy leaves out. */
export interface Copied {
  from: string;
  to: string;
  /** Names of entries of the directory. */
  without?: readonly string[];
}

/**
 * Copies a directory while the processes with this mark are stopped by SIGSTOP. The copy contains all their writes, like
 * a disk after a power cut without loss. The processes notice only the passed time. Shares blocks instead of copying where the
 * file system supports it. Rejects with BrokerError when the copy takes too long. The processes always continue.
 */
export async function copyWhileStopped(mark: ProcessMark, { from, to, without = [] }: Copied): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await signalProcesses(mark, 'SIGSTOP');
  try {
    const excluded = without.map((name) => join(from, name));
    const filter = (path: string): boolean => !excluded.includes(path);
    await within(cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE, filter }), DEADLINE_MS);
  } finally {
    await signalProcesses(mark, 'SIGCONT');
  }
}

async function within(work: Promise<void>, deadlineMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const reason = `the data cannot be copied within ${deadlineMs / 1000} s`;
    timer = setTimeout(() => reject(new BrokerError(reason)), deadlineMs);
  });
  // After the deadline the copy may still run, in a directory that nothing uses.
  work.catch(() => undefined);
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
