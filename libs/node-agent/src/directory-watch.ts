import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Wakeup } from './wakeup.js';

const LOOK_MS = 1_000;

/**
 * Resolves true when the node's directory was taken away under its running agent, false when aborted. An agent that
 * works on in a directory without a name would keep its node from ever being made again.
 */
export async function directoryIsGone(dir: string, signal: AbortSignal): Promise<boolean> {
  const pause = new Wakeup();
  while (!signal.aborted) {
    if (!(await exists(join(dir, 'bootstrap.json')))) return true;
    await pause.sleep(LOOK_MS, signal);
  }
  return false;
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    // Only a file that is not there counts: a disk in trouble is no reason to give up a node that serves.
    return !['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}
