import { spawn, type ChildProcess } from 'node:child_process';
import { open } from 'node:fs/promises';
import type { BrokerExit } from '../broker-runtime.js';
import { rotateLog } from '../rotate-log.js';

export interface Started {
  pid: number;
  exited: Promise<BrokerExit>;
}

/** Starts a process in its own session, which outlives this process. Both output streams go to the log file (0600). */
export async function spawnDetached(command: string, args: string[], cwd: string, logFile: string): Promise<Started> {
  await rotateLog(logFile);
  const log = await open(logFile, 'a', 0o600);
  try {
    const child = spawn(command, args, { cwd, detached: true, stdio: ['ignore', log.fd, log.fd] });
    const exited = exitOf(child, logFile);
    child.unref();
    return { pid: child.pid ?? 0, exited };
  } finally {
    await log.close();
  }
}

function exitOf(child: ChildProcess, logFile: string): Promise<BrokerExit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal, logFile }));
    child.once('error', () => resolve({ code: null, signal: null, logFile }));
  });
}
