import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** One living process. On Linux `argv` is exact; elsewhere it is the command line split at blanks. */
export interface ProcessEntry {
  pid: number;
  argv: string[];
}

const HAS_PROC = process.platform === 'linux';

/** Every living process that this user can see, without the caller itself and without zombies. */
export function listProcesses(): ProcessEntry[] {
  return (HAS_PROC ? listFromProc() : listFromPs()).filter((entry) => entry.pid !== process.pid);
}

/** The command line of a living process, or null when it is gone or belongs to someone who hides it. */
export function argvOf(pid: number): string[] | null {
  if (HAS_PROC) return procArgv(pid);
  const line = ps(['-o', 'command=', '-p', String(pid)]);
  return line === '' ? null : line.split(' ');
}

/**
 * Whether the process runs. A zombie counts as dead: an orphan whose new parent never reaps (a launcher that is process 1
 * of a container) would otherwise look alive for ever.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return stateOf(pid) !== 'Z';
}

/**
 * What tells this life of a pid from a later one that got the same number: null when the process is gone.
 * Opaque; compare for equality only.
 */
export function initialRowsOf(pid: number): string | null {
  if (!HAS_PROC) return ps(['-o', 'lstart=', '-p', String(pid)]) || null;
  const ticks = procStat(pid)?.[19];
  return ticks === undefined ? null : `${bootId()}:${ticks}`;
}

/** Pids of the processes whose working directory is `directory`. Empty where the system does not tell. */
export function processesIn(directory: string): number[] {
  if (!HAS_PROC) return [];
  return listProcesses()
    .map((entry) => entry.pid)
    .filter((pid) => readOrNull(() => readlinkSync(`/proc/${pid}/cwd`)) === directory);
}

function listFromProc(): ProcessEntry[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), argv: procArgv(Number(name)) }))
    .filter((entry): entry is ProcessEntry => entry.argv !== null);
}

function listFromPs(): ProcessEntry[] {
  return ps(['-axww', '-o', 'pid=,command='])
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map((match) => ({ pid: Number(match[1]), argv: (match[2] ?? '').split(' ') }));
}

function procArgv(pid: number): string[] | null {
  // A zombie's command line is empty, and so is a kernel thread's: neither is of interest.
  const text = readOrNull(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  return text ? text.replace(/\0+$/, '').split('\0') : null;
}

function stateOf(pid: number): string | undefined {
  return HAS_PROC ? procStat(pid)?.[0] : ps(['-o', 'state=', '-p', String(pid)]).trim()[0];
}

function procStat(pid: number): string[] | null {
  // The second field is the command in brackets and may hold blanks; everything after the last bracket is regular.
  const text = readOrNull(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return text ? text.slice(text.lastIndexOf(')') + 2).split(' ') : null;
}

function bootId(): string {
  return readOrNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))?.trim() ?? '';
}

function ps(args: string[]): string {
  return readOrNull(() => execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })) ?? '';
}

/** A process may end between listing and reading; that is an answer, not a failure. */
function readOrNull(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
