import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { iggyLine, isProvenIggy } from '@libs/domain/iggy-releases';
import { BrokerError } from '../../../control/broker-error.js';

/** The server writes its release here when it creates its state. */
const INFO = join('state', 'info');
const RELEASE = /\d+\.\d+\.\d+(?:-[\w.]+)?/;
/** What servers create in an empty directory, and the check of the key. A server of the line 0.8 does not create `metadata`. */
const OWN_ENTRIES = ['encryption.json', 'logs', 'runtime', 'state', 'streams'];
const UNPROVEN_ENTRIES = [...OWN_ENTRIES, 'metadata'];

/**
 * Throws BrokerError when a server of this release must not start on the directory: another line wrote it, or another process has
 * files of it open. The server itself starts in both cases, and damages the data. Call it with the lock of the directory, which a
 * server that somebody started by hand does not have.
 */
export async function requireOwnData(data: string, release: string): Promise<void> {
  const entries = await readdir(data).catch(() => []);
  const written = RELEASE.exec(await readFile(join(data, INFO), 'latin1').catch(() => ''))?.[0];
  if (written !== undefined && iggyLine(written) !== iggyLine(release))
    throw new BrokerError(
      `the data directory was written by iggy ${written}, which iggy-server ${release} cannot read`,
    );
  const known = isProvenIggy(release) ? OWN_ENTRIES : UNPROVEN_ENTRIES;
  const [foreign] = entries.filter((name) => !known.includes(name));
  if (foreign !== undefined && written === undefined)
    throw new BrokerError(`the data directory was not written by iggy ${iggyLine(release)}: it contains ${foreign}`);
  const [user] = entries.length > 0 ? await usersOf(data) : [];
  if (user !== undefined) throw new BrokerError(`process ${user} uses the data directory of this node`);
}

/** Other processes that have a file below the directory open, as far as this user may see that. */
async function usersOf(directory: string): Promise<number[]> {
  const below = `${await realpath(directory)}/`;
  const pids: number[] = [];
  // Sequential, because each read allocates a buffer, and an agent has little memory.
  for (const pid of await readdir('/proc').catch(() => []))
    if (/^\d+$/.test(pid) && Number(pid) !== process.pid && (await hasOpen(pid, below))) pids.push(Number(pid));
  return pids;
}

async function hasOpen(pid: string, below: string): Promise<boolean> {
  const folder = join('/proc', pid, 'fd');
  const files = await readdir(folder).catch(() => []);
  const targets = await Promise.all(files.map((file) => readlink(join(folder, file)).catch(() => '')));
  return targets.some((target) => target.startsWith(below));
}
