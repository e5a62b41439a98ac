import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A living process. On Linux `argv` is exact. On other systems it is the command line, split at spaces. */
export interface ProcessEntry {
  pid: number;
  argv: string[];
}

const HAS_PROC = process.platform === 'linux';

/** All living processes that this user can see, except the caller and zombies. */
export function listProcesses(): ProcessEntry[] {
  return (HAS_PROC ? listFromProc() : listFromPs()).filter((entry) => entry.pid !== process.pid);
}

/** The command line of a living process. Null when the process has ended or its command line is hidden. */
export function argvOf(pid: number): string[] | null {
  if (HAS_PROC) return procArgv(pid);
  const line = ps(['-o', 'command=', '-p', String(pid)]);
  return line === '' ? null : line.split(' ');
}

/**
 * Whether the process runs. A zombie counts as dead. Otherwise an orphan whose new parent never reaps it (a launcher that is
 * process 1 of a container) would look alive without end.
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
 * Distinguishes a process from a later one with the same pid. Null when the process has ended. Opaque: compare only for
 * equality.
 */
export function initialRowsOf(pid: number): string | null {
  if (!HAS_PROC) return ps(['-o', 'lstart=', '-p', String(pid)]) || null;
  const ticks = procStat(pid)?.[19];
  return ticks === undefined ? null : `${bootId()}:${ticks}`;
}

/** Pids of the processes with this working directory. Empty where the system does not report it. */
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
  // Zombies and kernel threads have an empty command line. Both are ignored.
  const text = readOrNull(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  return text ? text.replace(/\0+$/, '').split('\0') : null;
}

function stateOf(pid: number): string | undefined {
  return HAS_PROC ? procStat(pid)?.[0] : ps(['-o', 'state=', '-p', String(pid)]).trim()[0];
}

function procStat(pid: number): string[] | null {
  // The second field is the command in parentheses and may contain spaces. The fields after the last parenthesis are regular.
  const text = readOrNull(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return text ? text.slice(text.lastIndexOf(')') + 2).split(' ') : null;
}

function bootId(): string {
  return readOrNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))?.trim() ?? '';
}

function ps(args: string[]): string {
  return readOrNull(() => execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })) ?? '';
}

/** A process can end between listing and reading. This is a normal result. */
function readOrNull(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
