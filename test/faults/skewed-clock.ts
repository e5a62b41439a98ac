import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Loaded before anything else of a node's processes: from then on their clock is wrong. */
const skewBy = (ms: number): string => `
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...given) { given.length > 0 ? super(...given) : super(RealDate.now() + ${ms}); }
  static now() { return RealDate.now() + ${ms}; }
};
`;

/**
 * Starts the agent whose command line is given again, on a machine whose clock is `ms` ahead (or behind). A real clock counts
 * whole milliseconds: `ms` is a whole number.
 */
export async function startSkewed(commandLine: string, directory: string, ms: number): Promise<void> {
  const preload = join(directory, 'skewed-clock.mjs');
  await writeFile(preload, skewBy(ms));
  const [command = '', ...args] = commandLine.split(' ');
  const env = { NODE_OPTIONS: `--import=file://${preload}` };
  spawn(command, args, { cwd: directory, detached: true, stdio: 'ignore', env }).unref();
}
