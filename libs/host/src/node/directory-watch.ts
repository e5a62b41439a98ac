import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Wakeup } from '../os/wakeup.js';

const LOOK_MS = 1_000;

/**
 * Resolves true when the directory of a running agent's node was deleted, false when aborted. An agent that continues in a
 * deleted directory would prevent the node from being created again.
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
    // Only a missing file counts. A disk failure is no reason to give up a serving node.
    return !['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}
