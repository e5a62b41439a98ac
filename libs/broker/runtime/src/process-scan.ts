import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { BrokerError } from './broker-error.js';

const KILL_DEADLINE_MS = 5_000;

/** Processes by their argv: those that contain all of these arguments, or those with this name (`argv[0]`). */
export type ProcessMark = string[] | { name: string };

/**
 * Pids of this user's other processes with this mark. A zombie has no argv. Processes of other users are
 * ignored, because any user can start a process with such an argv.
 */
export async function pidsWithArguments(mark: ProcessMark): Promise<number[]> {
  const found = process.platform === 'linux' ? await scanProc(mark) : await scanPs(mark);
  return found.filter((pid) => pid !== process.pid);
}

/** Sends SIGKILL to every process with this mark. Resolves when none is left. */
export async function killProcesses(mark: ProcessMark): Promise<void> {
  const deadline = Date.now() + KILL_DEADLINE_MS;
  for (;;) {
    const pids = await pidsWithArguments(mark);
    if (pids.length === 0) return;
    if (Date.now() > deadline) throw new BrokerError(`processes ${pids.join(', ')} cannot be stopped`);
    for (const pid of pids) send(pid, 'SIGKILL');
    await new Promise((wake) => setTimeout(wake, 20));
  }
}

/**
 * Sends SIGTERM to every process with this mark, and SIGKILL after the deadline. Resolves when none is left.
 */
export async function endProcesses(mark: ProcessMark, deadlineMs: number): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  while ((await signalProcesses(mark, 'SIGTERM')) > 0 && Date.now() < deadline)
    await new Promise((wake) => setTimeout(wake, 50));
  await killProcesses(mark);
}

/** Sends the signal to every process with this mark. Returns their number. */
export async function signalProcesses(mark: ProcessMark, signal: NodeJS.Signals): Promise<number> {
  const pids = await pidsWithArguments(mark);
  for (const pid of pids) send(pid, signal);
  return pids.length;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // The process ended after the scan.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const hasMark = (argv: readonly string[], mark: ProcessMark): boolean =>
  Array.isArray(mark) ? mark.every((arg) => argv.includes(arg)) : argv[0] === mark.name;

async function scanProc(mark: ProcessMark): Promise<number[]> {
  const found: number[] = [];
  // Sequential, because each read allocates a buffer, and an agent has little memory.
  for (const name of await readdir('/proc')) {
    const argv = /^\d+$/.test(name) ? await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '') : '';
    if (hasMark(argv.split('\0'), mark) && (await isOwn(name))) found.push(Number(name));
  }
  return found;
}

async function isOwn(pid: string): Promise<boolean> {
  const owner = await stat(`/proc/${pid}`).catch(() => null);
  return owner?.uid === process.getuid?.();
}

async function scanPs(mark: ProcessMark): Promise<number[]> {
  const args = Array.isArray(mark) ? mark : [mark.name];
  const { stdout } = await promisify(execFile)('ps', ['-x', '-o', 'pid=,args='], { maxBuffer: 16 * 1024 * 1024 });
  const lines = stdout.split('\n').map((line) => `${line.trim()} `);
  return lines
    .filter((line) => args.every((arg) => line.includes(` ${arg} `)))
    .map((line) => Number.parseInt(line, 10));
}
