import { chmod, link, readdir, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { BrokerError } from './broker-error.js';
import { isListening } from '../os/is-listening.js';
import { freshNumber } from './proofs.js';
import {
  ensureSocketDirectory,
  newestNumber,
  reachable,
  socketDirectory,
  socketName,
  type InstanceRole,
} from './socket-directory.js';
import type { NodeHome } from './node-home.js';
import { readFileIfAny, writePrivateFile } from '../os/private-file.js';

export type { InstanceRole };

/**
 * The address of a process of a node, and the token that both sides prove. A socket file on Linux, otherwise a loopback port.
 */
export interface InstanceContact {
  at: { socketPath: string } | { host: string; port: number };
  token: string;
}

/** Whether the process at a contact has the token. */
export type IsAlive = (contact: InstanceContact) => Promise<boolean>;

/** Another process already is this node's agent or broker. */
export class InstanceTakenError extends BrokerError {}

/**
 * Makes `server` the only instance of its role on the node, and stores its address. On Linux the address is a socket file in a
 * directory that only this user can enter (decision 0037). Otherwise it is a loopback port, and `isAlive` verifies its owner.
 * Throws InstanceTakenError when another process has the role.
 */
export async function claimInstance(
  server: Server,
  home: NodeHome,
  role: InstanceRole,
  token: string,
  isAlive: IsAlive,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  const directory = await ensureSocketDirectory(home);
  if (platform === 'linux') {
    const number = await claimSocket(server, directory, role);
    await writePrivateFile(join(directory, tokenName(role, number)), token);
    return removeOlder(directory, role, number);
  }
  const running = await contactInstance(home, role, platform);
  if (running && (await isAlive(running))) throw taken(role);
  await listen(server, { host: '127.0.0.1', port: 0 });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new BrokerError('the control port has no address');
  await writePrivateFile(portFile(home, role), JSON.stringify({ port: address.port, token }));
}

/** The stored address of the role on this node, or null. A request must show whether the process is alive. */
export async function contactInstance(
  home: NodeHome,
  role: InstanceRole,
  platform: NodeJS.Platform = process.platform,
): Promise<InstanceContact | null> {
  if (platform !== 'linux') return contactOfPort(await readFileIfAny(portFile(home, role)));
  const directory = socketDirectory(home);
  const number = await newestNumber(directory, role);
  // The token is written right after the socket. Without a token the process is still starting.
  const token = number > 0 ? await readFileIfAny(join(directory, tokenName(role, number))) : null;
  return token === null ? null : { at: { socketPath: reachable(directory, socketName(role, number)) }, token };
}

/**
 * Takes the next number of the role. The socket first listens under a temporary name and gets its number through a link. The
 * link fails when the number is taken: a file with a number is a listening socket, or one of an ended process. Two processes
 * that start at once see the same newest number, and one link fails. A slow starter may link a number that was removed in
 * between. Then a higher number exists, so it checks again after the link.
 */
async function claimSocket(server: Server, directory: string, role: InstanceRole): Promise<number> {
  const draft = `${role}.${freshNumber()}.draft`;
  await listen(server, { path: reachable(directory, draft) });
  try {
    await chmod(join(directory, draft), 0o600);
    const newest = await newestNumber(directory, role);
    if (newest > 0 && (await isListening(reachable(directory, socketName(role, newest))))) throw taken(role);
    const socket = join(directory, socketName(role, newest + 1));
    await link(join(directory, draft), socket).catch((error: NodeJS.ErrnoException) => {
      // ENOENT: another process won and removed this draft.
      throw error.code === 'EEXIST' || error.code === 'ENOENT' ? taken(role) : error;
    });
    if ((await newestNumber(directory, role)) === newest + 1) return newest + 1;
    await rm(socket, { force: true });
    throw taken(role);
  } catch (error) {
    server.close();
    throw error;
  } finally {
    await rm(join(directory, draft), { force: true });
  }
}

/** Removes files of earlier processes. */
async function removeOlder(directory: string, role: InstanceRole, number: number): Promise<void> {
  const currentFiles = [socketName(role, number), tokenName(role, number)];
  const names = (await readdir(directory)).filter(
    (name) => name.startsWith(`${role}.`) && !currentFiles.includes(name),
  );
  const older = names.filter((name) => Number(name.split('.')[1]) < number || name.endsWith('.draft'));
  await Promise.all(older.map((name) => rm(join(directory, name), { force: true })));
}

const tokenName = (role: InstanceRole, number: number): string => `${role}.${number}.token`;
const portFile = (home: NodeHome, role: InstanceRole): string => join(socketDirectory(home), `${role}.port`);

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
