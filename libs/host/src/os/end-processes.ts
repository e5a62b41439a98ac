import { HostError } from './host-error.js';
import { pidsWith, type ProcessMark } from './process-table.js';
import { until } from './until.js';

const KILL_DEADLINE_MS = 8_000;
const EVERY_MS = 25;

/** Processes with a mark, or those that a search returns at the moment. */
export type Processes = ProcessMark | (() => Promise<number[]>);

export interface EndOptions {
  /** Time for a process to end after SIGTERM. 0: SIGKILL at once. */
  graceMs: number;
  /** Ends that time at once (second Ctrl-C). */
  hurry?: AbortSignal | undefined;
  /** Ends the work, which then rejects with its reason. */
  signal?: AbortSignal | undefined;
}

/**
 * Ends the processes, including new ones: SIGTERM to each, a grace period, SIGKILL. Resolves when two scans in a row find none. One scan is
 * not enough, because a process may start another one during the scan and die only after that.
 * @throws HostError when processes remain
 */
export async function endProcesses(processes: Processes, { graceMs, hurry, signal }: EndOptions): Promise<void> {
  const find = (): Promise<number[]> => (processes instanceof Function ? processes() : pidsWith(processes));
  const signalled = new Set<number>();
  let emptyScans = 0;
  const areGone = async (how: 'SIGTERM' | 'SIGKILL'): Promise<boolean> => {
    const pids = await find();
    emptyScans = pids.length === 0 ? emptyScans + 1 : 0;
    // A second SIGTERM would tell an app of this installation to hurry.
    for (const pid of pids) if (how === 'SIGKILL' || !signalled.has(pid)) sendSignal(pid, how);
    for (const pid of pids) signalled.add(pid);
    return emptyScans >= 2;
  };
  const ways = { everyMs: EVERY_MS, signal };
  if (graceMs > 0 && (await until(() => areGone('SIGTERM'), { ...ways, timeoutMs: graceMs, hurry }))) return;
  if (await until(() => areGone('SIGKILL'), { ...ways, timeoutMs: KILL_DEADLINE_MS })) return;
  const pids = (await find()).join(', ');
  throw new HostError(`Processes ${pids} did not stop after SIGKILL. Check whether they belong to another user.`);
}

/** Sends the signal to each of the processes. Returns their number. */
export async function signalProcesses(mark: ProcessMark, signal: NodeJS.Signals): Promise<number> {
  const pids = await pidsWith(mark);
  for (const pid of pids) sendSignal(pid, signal);
  return pids.length;
}

/**
 * Sends a signal to a process, or with a negative number to its group. Returns false when there is no such process, or when it belongs to
 * another user.
 */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
