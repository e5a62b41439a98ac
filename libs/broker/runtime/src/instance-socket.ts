import { chmod, link, readdir, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { BrokerError } from './broker-error.js';
import { isListening } from './control/is-listening.js';
import { freshNumber } from './control/proofs.js';
import {
  ensureSocketDirectory,
  newestNumber,
  reachable,
  socketDirectory,
  socketName,
  type InstanceRole,
} from './control/socket-directory.js';
import type { NodePlace } from './node-place.js';
import { readFileIfAny, writePrivateFile } from './private-file.js';

export type { InstanceRole };

/** Where a process of a node is asked, and the token that both sides prove: a socket file on Linux, elsewhere a loopback port. */
export interface InstanceContact {
  at: { socketPath: string } | { host: string; port: number };
  token: string;
}

/** Whether the process at a contact is the one that its token belongs to. */
export type IsAlive = (contact: InstanceContact) => Promise<boolean>;

/** Another process already is this node's agent or broker. */
export class InstanceTakenError extends BrokerError {}

/**
 * Makes `server` the one instance of its role on the node, and notes where it is asked. On Linux the place is a socket file in
 * a directory that only this user enters (decision 0037); elsewhere a loopback port, whose holder `isAlive` asks for a proof.
 * Throws InstanceTakenError when another process has the role.
 */
export async function claimInstance(
  server: Server,
  place: NodePlace,
  role: InstanceRole,
  token: string,
  isAlive: IsAlive,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  const directory = await ensureSocketDirectory(place);
  if (platform === 'linux') {
    const number = await claimSocket(server, directory, role);
    await writePrivateFile(join(directory, tokenName(role, number)), token);
    return removeOlder(directory, role, number);
  }
  const running = await contactInstance(place, role, platform);
  if (running && (await isAlive(running))) throw taken(role);
  await listen(server, { host: '127.0.0.1', port: 0 });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new BrokerError('the control port has no address');
  await writePrivateFile(portFile(place, role), JSON.stringify({ port: address.port, token }));
}

/** Where the role of this node would answer, or null when nothing says so. Asking tells whether the process lives. */
export async function contactInstance(
  place: NodePlace,
  role: InstanceRole,
  platform: NodeJS.Platform = process.platform,
): Promise<InstanceContact | null> {
  if (platform !== 'linux') return contactOfPort(await readFileIfAny(portFile(place, role)));
  const directory = socketDirectory(place);
  const number = await newestNumber(directory, role);
  // The token follows the socket at once; before that the process is still starting.
  const token = number > 0 ? await readFileIfAny(join(directory, tokenName(role, number))) : null;
  return token === null ? null : { at: { socketPath: reachable(directory, socketName(role, number)) }, token };
}

/**
 * Takes the next number of the role. The socket listens under a name of its own first and gets its number by a link, which
 * fails when the number is taken: a file with a number is a socket that listens, or one whose process has ended. Two that start
 * at once see the same newest number, and one of the links fails. A starter that looked long ago may link a number that was
 * removed meanwhile; a higher one is there then, so it looks again after the link.
 */
async function claimSocket(server: Server, directory: string, role: InstanceRole): Promise<number> {
  const draft = `${role}.${freshNumber()}.draft`;
  await listen(server, { path: reachable(directory, draft) });
  try {
    await chmod(join(directory, draft), 0o600);
    const newest = await newestNumber(directory, role);
    if (newest > 0 && (await isListening(reachable(directory, socketName(role, newest))))) throw taken(role);
    const own = join(directory, socketName(role, newest + 1));
    await link(join(directory, draft), own).catch((error: NodeJS.ErrnoException) => {
      // ENOENT: a winner has put this draft away.
      throw error.code === 'EEXIST' || error.code === 'ENOENT' ? taken(role) : error;
    });
    if ((await newestNumber(directory, role)) === newest + 1) return newest + 1;
    await rm(own, { force: true });
    throw taken(role);
  } catch (error) {
    server.close();
    throw error;
  } finally {
    await rm(join(directory, draft), { force: true });
  }
}

/** What processes before this one have left. */
async function removeOlder(directory: string, role: InstanceRole, number: number): Promise<void> {
  const kept = [socketName(role, number), tokenName(role, number)];
  const names = (await readdir(directory)).filter((name) => name.startsWith(`${role}.`) && !kept.includes(name));
  const older = names.filter((name) => Number(name.split('.')[1]) < number || name.endsWith('.draft'));
  await Promise.all(older.map((name) => rm(join(directory, name), { force: true })));
}

const tokenName = (role: InstanceRole, number: number): string => `${role}.${number}.token`;
const portFile = (place: NodePlace, role: InstanceRole): string => join(socketDirectory(place), `${role}.port`);

function contactOfPort(content: string | null): InstanceContact | null {
  if (content === null) return null;
  const { port, token } = JSON.parse(content) as { port: number; token: string };
  return { at: { host: '127.0.0.1', port }, token };
}

function listen(server: Server, where: { path: string } | { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function taken(role: InstanceRole): InstanceTakenError {
  return new InstanceTakenError(`another ${role} of this node is already running`);
}
