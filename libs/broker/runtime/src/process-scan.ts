import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { BrokerError } from './broker-error.js';

const KILL_DEADLINE_MS = 5_000;

/**
 * Pids of this user's other processes whose argv contains all of `args`. A zombie has no argv. Processes of other users are
 * ignored, because any user can start a process with such an argv.
 */
export async function pidsWithArguments(args: string[]): Promise<number[]> {
  const found = process.platform === 'linux' ? await scanProc(args) : await scanPs(args);
  return found.filter((pid) => pid !== process.pid);
}

/** Sends SIGKILL to every process whose argv contains all of `args`. Resolves when none is left. */
export async function killProcesses(args: string[]): Promise<void> {
  const deadline = Date.now() + KILL_DEADLINE_MS;
  for (;;) {
    const pids = await pidsWithArguments(args);
    if (pids.length === 0) return;
    if (Date.now() > deadline) throw new BrokerError(`processes ${pids.join(', ')} cannot be stopped`);
    for (const pid of pids) send(pid, 'SIGKILL');
    await new Promise((wake) => setTimeout(wake, 20));
  }
}

/**
 * Sends SIGTERM to every process whose argv contains all of `args`, and SIGKILL after the deadline. Resolves when none is left.
 */
export async function endProcesses(args: string[], deadlineMs: number): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  while ((await signalProcesses(args, 'SIGTERM')) > 0 && Date.now() < deadline)
    await new Promise((wake) => setTimeout(wake, 50));
  await killProcesses(args);
}

/** Sends the signal to every process whose argv contains all of `args`. Returns their number. */
export async function signalProcesses(args: string[], signal: NodeJS.Signals): Promise<number> {
  const pids = await pidsWithArguments(args);
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

async function scanProc(args: string[]): Promise<number[]> {
  const found: number[] = [];
  // Sequential, because each read allocates a buffer, and an agent has little memory.
  for (const name of await readdir('/proc')) {
    const argv = /^\d+$/.test(name) ? await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '') : '';
    const given = argv.split('\0');
    if (args.every((arg) => given.includes(arg)) && (await isOwn(name))) found.push(Number(name));
  }
  return found;
}

async function isOwn(pid: string): Promise<boolean> {
  const owner = await stat(`/proc/${pid}`).catch(() => null);
  return owner?.uid === process.getuid?.();
}

async function scanPs(args: string[]): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-x', '-o', 'pid=,args='], { maxBuffer: 16 * 1024 * 1024 });
  const lines = stdout.split('\n').map((line) => `${line.trim()} `);
  return lines
    .filter((line) => args.every((arg) => line.includes(` ${arg} `)))
    .map((line) => Number.parseInt(line, 10));
}
