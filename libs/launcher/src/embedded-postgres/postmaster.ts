import { spawn } from 'node:child_process';
import { realpathSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import {
  closeLog,
  openLog,
  readFileIfAnySync,
  argvOf,
  isAlive,
  processesIn,
  endProcesses,
  sendSignal,
  until,
} from '@libs/host/os';
import type { ClusterFiles } from './cluster-files.js';
import { POSTGRES_ENVIRONMENT, type RunAs } from './run-as.js';

/** The data that a postmaster writes to its data directory. */
export interface Postmaster {
  pid: number;
  port: number;
  status: 'starting' | 'stopping' | 'ready' | 'standby' | '';
}

/** Time limit of each way of stopping, in milliseconds, before the next and harder one. */
export interface StopTimes {
  fastMs: number;
  immediateMs: number;
}

/** The running postmaster of this data, or null. Ignores a file of a dead one, and a pid that another process has now. */
export function findPostmaster(files: ClusterFiles): Postmaster | null {
  const noted = readPidFile(files);
  return noted && isPostmaster(noted.pid, files.data) ? noted : null;
}

/**
 * Starts a postmaster in its own session, so that it outlives its parent. The promise settles when it has died. Use
 * findPostmaster to check whether it started.
 */
export function spawnPostmaster(way: RunAs, files: ClusterFiles, port: number): { pid: number; died: Promise<void> } {
  const log = openLog(files.log);
  try {
    const { file, args, ...ids } = way.command(way.binaries.postgres, [
      ...['-D', files.data, '-c', `port=${port}`, '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    ]);
    const child = spawn(file, args, {
      ...ids,
      cwd: '/',
      env: POSTGRES_ENVIRONMENT,
      stdio: ['ignore', log, log],
      detached: true,
    });
    const died = new Promise<void>((resolve) => {
      child.once('error', () => resolve());
      child.once('exit', () => resolve());
    });
    child.unref();
    return { pid: child.pid ?? 0, died };
  } finally {
    closeLog(log);
  }
}

/**
 * Prepares the start of a new postmaster after one was killed. Its children notice that and exit soon, but until then their
 * shared memory blocks a new one. Remaining children are killed; without a postmaster they cannot finish any work. Deletes the
 * pid file only if the pid certainly belongs to another process. PostgreSQL itself would take any living process with that
 * number (common in containers) for its predecessor.
 */
export async function clearRemains(files: ClusterFiles): Promise<void> {
  if (findPostmaster(files)) return;
  const data = realpathSync(files.data);
  const children = (): Promise<number[]> => processesIn(data);
  const haveLeft = async (): Promise<boolean> => (await children()).length === 0;
  if (!(await until(haveLeft, { timeoutMs: 3_000 }))) await endProcesses(children, { graceMs: 1_000 });
  const noted = readPidFile(files);
  if (noted && isProvenOther(noted.pid, files.data)) unlinkSync(pidFile(files));
}

/**
 * Stops a postmaster: fast shutdown (cuts clients, all data is on disk), then immediate (the next start recovers from the log),
 * then SIGKILL. Never hangs. Resolves when the postmaster and its children have ended.
 */
export async function stopPostmaster(files: ClusterFiles, times: StopTimes, hurry?: AbortSignal): Promise<void> {
  const running = findPostmaster(files);
  if (!running) return;
  const gone = (): boolean => !isPostmaster(running.pid, files.data);
  sendSignal(running.pid, 'SIGINT');
  if (!(await until(gone, { timeoutMs: times.fastMs, hurry }))) {
    sendSignal(running.pid, 'SIGQUIT');
    if (!(await until(gone, { timeoutMs: times.immediateMs }))) sendSignal(running.pid, 'SIGKILL');
    await until(gone, { timeoutMs: 5_000 });
  }
  await clearRemains(files);
}

function pidFile(files: ClusterFiles): string {
  return join(files.data, 'postmaster.pid');
}

/** Lines: pid, data directory, start time, port, socket directory, address, shared memory, status. */
function readPidFile(files: ClusterFiles): Postmaster | null {
  const lines = readFileIfAnySync(pidFile(files))?.split('\n');
  const pid = Number(lines?.[0]);
  if (!lines || !Number.isInteger(pid) || pid <= 0) return null;
  return { pid, port: Number(lines[3] ?? 0), status: (lines[7] ?? '').trim() as Postmaster['status'] };
}

/** A postmaster keeps its command line. Its children change theirs. */
function isPostmaster(pid: number, data: string): boolean {
  return isAlive(pid) && carriesData(argvOf(pid), data);
}

function isProvenOther(pid: number, data: string): boolean {
  if (!isAlive(pid)) return true;
  const argv = argvOf(pid);
  return argv !== null && !carriesData(argv, data);
}

function carriesData(argv: string[] | null, data: string): boolean {
  return argv !== null && ` ${argv.join(' ')} `.includes(` -D ${data} `);
}
