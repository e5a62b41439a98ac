import { constants } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { BrokerError } from '../broker-error.js';
import { signalProcesses } from '../process-scan.js';

/** Clients and the other nodes bear a silence of so long. */
const DEADLINE_MS = 20_000;

/**
 * Copies a directory while the processes with these arguments stand still: what they have written is in it, as after a
 * power cut that lost nothing, and they notice nothing but the time. Where the file system can, blocks are shared instead
 * of copied. Rejects with BrokerError when the copy takes too long; the processes go on in any case.
 */
export async function copyWhileStopped(args: string[], from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await signalProcesses(args, 'SIGSTOP');
  try {
    await within(cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE }), DEADLINE_MS);
  } finally {
    await signalProcesses(args, 'SIGCONT');
  }
}

async function within(work: Promise<void>, deadlineMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const reason = `the data cannot be copied within ${deadlineMs / 1000} s`;
    timer = setTimeout(() => reject(new BrokerError(reason)), deadlineMs);
  });
  // What goes on after the deadline ends in a directory that nobody uses.
  work.catch(() => undefined);
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
