import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const PRELOAD = 'skewed-clock.mjs';

/** Loaded before all other code in the processes of a node, so their clock is wrong from the start. */
const skewBy = (ms: number): string => `
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...given) { given.length > 0 ? super(...given) : super(RealDate.now() + ${ms}); }
  static now() { return RealDate.now() + ${ms}; }
};
`;

/**
 * Restarts the agent with this command line on a machine whose clock is `ms` ahead (or behind). `ms` is a whole number,
 * because a real clock counts whole milliseconds.
 */
export async function startSkewed(commandLine: string, directory: string, ms: number): Promise<void> {
  const preload = join(directory, PRELOAD);
  await writeFile(preload, skewBy(ms));
  const [command = '', ...args] = commandLine.split(' ');
  const env = { NODE_OPTIONS: `--import=file://${preload}` };
  spawn(command, args, { cwd: directory, detached: true, stdio: 'ignore', env }).unref();
}

/** Whether the process has a wrong clock. A process inherits the clock of the agent that started it. */
export const isSkewed = async (pid: number): Promise<boolean> =>
  (await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')).includes(PRELOAD);
