import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { open } from 'node:fs/promises';
import type { BrokerExit } from './broker-runtime.js';
import { rotateLog } from '../os/rotate-log.js';

export interface Started {
  pid: number;
  exited: Promise<BrokerExit>;
}

/** Of a program that is not Landlord's own. */
export interface ForeignProgram {
  /** Its name in the list of processes. */
  argv0: string;
  /** Its whole environment. */
  env: NodeJS.ProcessEnv;
  /** Whether only its error output goes to the log file, because it writes a log of its own. */
  logsItself: boolean;
}

/**
 * Starts a process in its own session, which outlives this process. Its output goes to the log file (0600). A log that cannot be opened
 * keeps no broker from its start.
 */
export async function spawnDetached(
  command: string,
  args: string[],
  cwd: string,
  logFile: string,
  foreign?: ForeignProgram,
): Promise<Started> {
  await rotateLog(logFile);
  const log = await open(logFile, 'a', 0o600).catch(() => null);
  try {
    const { logsItself, ...more } = foreign ?? { logsItself: false };
    const output = log?.fd ?? 'ignore';
    const stdio: StdioOptions = ['ignore', logsItself ? 'ignore' : output, output];
    const child = spawn(command, args, { cwd, detached: true, stdio, ...more });
    const exited = exitOf(child, logFile);
    child.unref();
    return { pid: child.pid ?? 0, exited };
  } finally {
    await log?.close();
  }
}

function exitOf(child: ChildProcess, logFile: string): Promise<BrokerExit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal, logFile }));
    child.once('error', () => resolve({ code: null, signal: null, logFile }));
  });
}
