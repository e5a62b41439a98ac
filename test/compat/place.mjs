// All files of a run are below one directory: the old checkout and, as TMPDIR, all files of its tests. So each process
// with the name of this directory on its command line belongs to the run and is stopped with it.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const ROOT = resolve(import.meta.dirname, '../..');
const PREFIX = 'landlord-compat-';
const PATIENCE_MS = 10_000;

/** Creates the directory of this run: {directory, checkout, temporary, log}. Removes the directories of killed runs. */
export async function openPlace() {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await removePlace(realpathSync(join(tmpdir(), name)));
  }
  const directory = realpathSync(mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`)));
  // PostgreSQL may run as another user than root and needs access to its data.
  chmodSync(directory, 0o755);
  mkdirSync(join(directory, 'tmp'));
  return {
    directory,
    checkout: join(directory, 'checkout'),
    temporary: join(directory, 'tmp'),
    log: join(directory, 'schema.log'),
  };
}

/** Stops the processes of the directory, and removes the directory and its worktree. */
export async function removePlace(directory) {
  const deadline = performance.now() + PATIENCE_MS;
  // Repeated, because an agent may start a broker between two scans.
  for (let found = processesOf(directory); found.length > 0; found = processesOf(directory)) {
    for (const { pid } of found) kill(pid);
    if (performance.now() > deadline) throw new PlaceBusy(directory, found);
    await delay(50);
  }
  rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  spawnSync('git', ['worktree', 'prune'], { cwd: ROOT });
}

class PlaceBusy extends Error {
  constructor(directory, processes) {
    const pids = processes.map(({ pid }) => pid).join(', ');
    super(`${directory} cannot be removed, for these processes do not end: ${pids}.`);
  }
}

/** The running processes with a file of the directory on their command line: {pid, command}. */
export function processesOf(directory) {
  return execFileSync('ps', ['-axww', '-o', 'pid=,stat=,args='], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line))
    .filter((match) => match?.[3].includes(`${directory}/`) && !match[2].startsWith('Z'))
    .map((match) => ({ pid: Number(match[1]), command: match[3] }))
    .filter(({ pid }) => pid !== process.pid);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process ended between the scan and the signal.
  }
}
