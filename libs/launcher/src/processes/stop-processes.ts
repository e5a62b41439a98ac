import { LauncherError } from '../launcher-error.js';
import { until } from './until.js';

export interface StopOptions {
  /** Time for a process to exit after SIGTERM. */
  graceMs: number;
  /** Ends that time at once (second Ctrl-C). */
  hurry?: AbortSignal | undefined;
}

/**
 * Ends all processes that `find` returns, including new ones: SIGTERM, a grace period, SIGKILL. Resolves when `find` returns
 * none. Throws LauncherError when a process cannot be killed.
 */
export async function stopProcesses(find: () => number[], options: StopOptions): Promise<void> {
  const asked = new Set<number>();
  const gone = (): boolean => {
    const found = find();
    // A process that forks during its exit leaves a child without SIGTERM.
    for (const pid of found.filter((one) => !asked.has(one))) {
      asked.add(pid);
      sendSignal(pid, 'SIGTERM');
    }
    return found.length === 0;
  };
  if (await until(gone, { timeoutMs: options.graceMs, hurry: options.hurry })) return;
  const killed = (): boolean => {
    const found = find();
    found.forEach((pid) => sendSignal(pid, 'SIGKILL'));
    return found.length === 0;
  };
  if (await until(killed, { timeoutMs: 5_000 })) return;
  throw new LauncherError(
    `Processes ${find().join(', ')} did not stop after SIGKILL. Check whether they belong to another user.`,
  );
}

/** Sends a signal to a process, or with a negative number to its group. Returns false when there is no such process. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
