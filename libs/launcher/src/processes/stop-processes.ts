import { LauncherError } from '../launcher-error.js';
import { until } from './until.js';

export interface StopOptions {
  /** How long a process may take to leave by itself. */
  graceMs: number;
  /** Ends the grace at once (second Ctrl-C). */
  hurry?: AbortSignal | undefined;
}

/**
 * Ends every process that `find` names, also those which appear while it works: SIGTERM, a grace, SIGKILL.
 * Resolves when `find` names none; throws LauncherError when something cannot be killed.
 */
export async function stopProcesses(find: () => number[], options: StopOptions): Promise<void> {
  const asked = new Set<number>();
  const gone = (): boolean => {
    const found = find();
    // One that forks while it dies leaves a child we have not asked yet.
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
  throw new LauncherError(`Processes ${find().join(', ')} do not end, not even by SIGKILL. Are they another user's?`);
}

/** Sends a signal to a process, or with a negative number to its group; false when there is nobody to receive it. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
