import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

/** A living process. On Linux `argv` is exact. On other systems it is the command line, split at spaces. */
export interface ProcessEntry {
  pid: number;
  argv: string[];
}

/**
 * Which processes: those whose argv contains all of these arguments, those with this name (`argv[0]`), or those that have each flag as an
 * argument, or as the part of an argument before a slash: a server that an agent starts for a check has such a name.
 */
export type ProcessMark = string[] | { name: string } | { flags: string[] };

const HAS_PROC = process.platform === 'linux';
const MOST_OUTPUT_BYTES = 16 * 1024 * 1024;

/** All living processes that this user can see, except the caller and zombies. */
export async function listProcesses(): Promise<ProcessEntry[]> {
  const entries = HAS_PROC ? await listProc() : await listPs('-axww');
  return entries.filter(({ pid }) => pid !== process.pid);
}

/**
 * Pids of this user's other processes with this mark. A zombie has no argv. Processes of other users are ignored, because any user can
 * start a process with such an argv.
 */
export async function pidsWith(mark: ProcessMark): Promise<number[]> {
  const entries = HAS_PROC ? await listProc((argv) => hasMark(argv, mark), isOwn) : await listPs('-xww');
  return entries.filter(({ pid, argv }) => pid !== process.pid && hasMark(argv, mark)).map(({ pid }) => pid);
}

/** Pids of the processes with this working directory. Empty where the system does not report it. */
export async function processesIn(directory: string): Promise<number[]> {
  if (!HAS_PROC) return [];
  const entries = await listProcesses();
  const directories = await Promise.all(entries.map(({ pid }) => linkOf(pid, 'cwd')));
  return entries.filter((_entry, index) => directories[index] === directory).map(({ pid }) => pid);
}

/**
 * Pids of the processes that use files below this directory: an argument names one, or, where the system reports it, the program or the
 * working directory is there. `directory`: absolute, without symbolic links.
 */
export async function processesUsing(directory: string): Promise<number[]> {
  const isBelow = (path: string | null): boolean => `${path}/`.startsWith(`${directory}/`);
  const isUser = async ({ pid, argv }: ProcessEntry): Promise<boolean> => {
    if (argv.join(' ').includes(`${directory}/`)) return true;
    return HAS_PROC && [await linkOf(pid, 'exe'), await linkOf(pid, 'cwd')].some(isBelow);
  };
  const entries = await listProcesses();
  const uses = await Promise.all(entries.map(isUser));
  return entries.filter((_entry, index) => uses[index]).map(({ pid }) => pid);
}

/** The command line of a living process. Null when the process has ended or its command line is hidden. */
export function argvOf(pid: number): string[] | null {
  if (HAS_PROC) return argvIn(readOrNull(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')));
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
  return (HAS_PROC ? statOf(pid)?.[0] : ps(['-o', 'state=', '-p', String(pid)]).trim()[0]) !== 'Z';
}

/**
 * Distinguishes a process from a later one with the same pid. Null when no process has the pid, or only a zombie. Letters, digits, `:` and
 * `-`. Opaque: compare only for equality.
 */
export function startTimeOf(pid: number): string | null {
  if (!HAS_PROC) return ps(['-o', 'lstart=', '-p', String(pid)]).replace(/\s+/g, '-') || null;
  const fields = statOf(pid);
  const ticks = fields?.[19];
  // The ticks are relative to the boot.
  return ticks === undefined || fields?.[0] === 'Z' ? null : `${bootId()}:${ticks}`;
}

const hasMark = (argv: readonly string[], mark: ProcessMark): boolean => {
  if (Array.isArray(mark)) return mark.every((argument) => hasArgument(argv, argument));
  if ('name' in mark) return argv[0] === mark.name;
  return mark.flags.every((flag) => hasArgument(argv, flag) || argv.some((one) => one.startsWith(`${flag}/`)));
};

/** Outside of Linux an argument with spaces has become several. */
const hasArgument = (argv: readonly string[], argument: string): boolean =>
  HAS_PROC ? argv.includes(argument) : ` ${argv.join(' ')} `.includes(` ${argument} `);

/** Sequential, because each read allocates a buffer, and an agent has little memory. */
async function listProc(
  matches: (argv: string[]) => boolean = () => true,
  isVisible: (pid: string) => Promise<boolean> = () => Promise.resolve(true),
): Promise<ProcessEntry[]> {
  const entries: ProcessEntry[] = [];
  for (const name of await readdir('/proc')) {
    const text = /^\d+$/.test(name) ? await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '') : '';
    const argv = argvIn(text);
    if (argv !== null && matches(argv) && (await isVisible(name))) entries.push({ pid: Number(name), argv });
  }
  return entries;
}

/** Null when the process has ended or belongs to another user. */
const linkOf = (pid: number, link: 'cwd' | 'exe'): Promise<string | null> =>
  readlink(`/proc/${pid}/${link}`).catch(() => null);

/** Zombies and kernel threads have an empty command line. */
const argvIn = (text: string | null): string[] | null => (text ? text.replace(/\0+$/, '').split('\0') : null);

async function isOwn(pid: string): Promise<boolean> {
  const owner = await stat(`/proc/${pid}`).catch(() => null);
  return owner?.uid === process.getuid?.();
}

async function listPs(options: string): Promise<ProcessEntry[]> {
  const { stdout } = await promisify(execFile)('ps', [options, '-o', 'pid=,args='], { maxBuffer: MOST_OUTPUT_BYTES });
  return stdout
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map((match) => ({ pid: Number(match[1]), argv: (match[2] ?? '').trimEnd().split(' ') }));
}

function statOf(pid: number): string[] | null {
  // The second field is the command in parentheses and may contain any text. The fields after the last parenthesis are regular.
  const text = readOrNull(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return text ? text.slice(text.lastIndexOf(')') + 2).split(' ') : null;
}

function bootId(): string {
  return readOrNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))?.trim() ?? '';
}

function ps(args: string[]): string {
  const read = (): string => execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return readOrNull(read)?.trim() ?? '';
}

/** A process can end between listing and reading. This is a normal result. */
function readOrNull(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
