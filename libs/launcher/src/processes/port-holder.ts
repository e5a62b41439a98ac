import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { argvOf } from '@libs/host/os';

const LISTENING = '0A';

/** The process that listens on a TCP port: `process 4711 (nginx)`. Null when it belongs to another user, or outside of Linux. */
export function holderOf(port: number): string | null {
  const inodes = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => inodesOf(table, port));
  if (inodes.length === 0) return null;
  const sockets = inodes.map((inode) => `socket:[${inode}]`);
  const pids = (readOrNull(() => readdirSync('/proc')) ?? [])
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid);
  const holder = pids.find((pid) => openFiles(pid).some((file) => sockets.includes(file)));
  return holder === undefined ? null : `process ${holder} (${nameOf(argvOf(holder) ?? [])})`;
}

/** Columns: slot, local address as hexadecimal `address:port`, remote address, state, …; the tenth is the inode. */
function inodesOf(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return (readOrNull(() => readFileSync(table, 'utf8')) ?? '')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(suffix) && state === LISTENING)
    .map((columns) => columns[9] ?? '');
}

function openFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  const descriptors = readOrNull(() => readdirSync(folder)) ?? [];
  return descriptors.map((name) => readOrNull(() => readlinkSync(`${folder}/${name}`)) ?? '');
}

/** The program without its folder. Arguments may contain secrets. */
const nameOf = ([program = '']: string[]): string => program.split(/[/ ]/).findLast(Boolean) ?? 'unknown';

/** A process can end between listing and reading, and those of other users are hidden. */
function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
