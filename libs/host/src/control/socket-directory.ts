import { openSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { newestSocket, SOCKET_DIRECTORY, socketName, type InstanceRole } from '@libs/domain/node-sockets';
import { BrokerError } from './broker-error.js';
import type { NodeHome } from './node-home.js';

/** A socket address has at most 107 bytes on Linux. Longer paths use an open file descriptor of the directory. */
const LONGEST_PATH = 100;

type HomeDirectory = Pick<NodeHome, 'dir'>;

/** Descriptors of directories with long names, by path. A process has one node, so the map stays small. */
const opened = new Map<string, number>();

export const socketDirectory = ({ dir }: HomeDirectory): string => join(dir, SOCKET_DIRECTORY);

/** The directory of the node's sockets, which only this user can enter. Throws BrokerError when that is impossible. */
export async function ensureSocketDirectory(home: HomeDirectory): Promise<string> {
  const directory = socketDirectory(home);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const stats = await lstat(directory);
  if (!stats.isDirectory() || stats.uid !== process.getuid?.())
    throw new BrokerError(`${directory} is not a directory of this user`);
  if ((stats.mode & 0o077) !== 0) await chmod(directory, 0o700);
  return directory;
}

/** The path for binding or connecting to a socket of the directory. */
export function reachable(directory: string, name: string): string {
  const path = join(directory, name);
  if (Buffer.byteLength(path) <= LONGEST_PATH) return path;
  const open = opened.get(directory) ?? openSync(directory, 'r');
  opened.set(directory, open);
  return `/proc/self/fd/${open}/${name}`;
}

/** The number of the newest socket of the role. 0 without any. */
export async function newestNumber(directory: string, role: InstanceRole): Promise<number> {
  return newestSocket(await readdir(directory).catch(() => []), role);
}

export { socketName, type InstanceRole };
