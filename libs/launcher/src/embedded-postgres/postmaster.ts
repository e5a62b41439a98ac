import { spawn } from 'node:child_process';
import { closeSync, openSync, realpathSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { readFileIfAny } from '../files/private-file.js';
import { argvOf, isAlive, processesIn } from '../processes/process-table.js';
import { sendSignal, stopProcesses } from '../processes/stop-processes.js';
import { until } from '../processes/until.js';
import type { ClusterFiles } from './cluster-files.js';
import { POSTGRES_ENVIRONMENT, type RunAs } from './run-as.js';

/** What a postmaster writes about itself into its data directory. */
export interface Postmaster {
  pid: number;
  port: number;
  status: 'starting' | 'stopping' | 'ready' | 'standby' | '';
}

/** How long each way of stopping may take, in milliseconds, before the next and harder one. */
export interface StopTimes {
  fastMs: number;
  immediateMs: number;
}

/** The postmaster that runs on this data, or null. A file left by a dead one, or by an earlier owner of its pid, is null. */
export function findPostmaster(files: ClusterFiles): Postmaster | null {
  const noted = readPidFile(files);
  return noted && isPostmaster(noted.pid, files.data) ? noted : null;
}

/**
 * Starts a postmaster in a session of its own, so that it outlives its starter. The promise settles when it has died;
 * whether it came up is asked by findPostmaster.
 */
export function spawnPostmaster(way: RunAs, files: ClusterFiles, port: number): { pid: number; died: Promise<void> } {
  const log = openSync(files.log, 'a', 0o600);
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
    closeSync(log);
  }
}

/**
 * Makes the way free for a new postmaster after one was killed: its children notice and leave within moments, but until
 * they do, their shared memory keeps a new one from starting. Those that stay are killed; with their postmaster dead there
 * is nothing left that they could finish. The noted pid is removed only if it is proven to be no postmaster of this data:
 * PostgreSQL itself would take any living process with that number (common in containers) for its predecessor.
 */
export async function clearRemains(files: ClusterFiles): Promise<void> {
  if (findPostmaster(files)) return;
  const data = realpathSync(files.data);
  const leave = (): boolean => processesIn(data).length === 0;
  if (!(await until(leave, { timeoutMs: 3_000 }))) await stopProcesses(() => processesIn(data), { graceMs: 1_000 });
  const noted = readPidFile(files);
  if (noted && isProvenOther(noted.pid, files.data)) unlinkSync(pidFile(files));
}

/**
 * Stops a postmaster: fast shutdown (clients are cut, everything is on disk), then immediate (the next start recovers from
 * the log), then SIGKILL. Never hangs; resolves when neither it nor a child of it lives.
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
  const lines = readFileIfAny(pidFile(files))?.split('\n');
  const pid = Number(lines?.[0]);
  if (!lines || !Number.isInteger(pid) || pid <= 0) return null;
  return { pid, port: Number(lines[3] ?? 0), status: (lines[7] ?? '').trim() as Postmaster['status'] };
}

/** A postmaster keeps the arguments it was started with; its children change theirs. */
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
