import type { Server } from 'node:http';
import { join } from 'node:path';
import { BrokerError } from './broker-error.js';
import type { NodePlace } from './node-place.js';
import { readFileIfAny, writePrivateFile } from './private-file.js';
import { requestJson } from './socket-request.js';

export type InstanceRole = 'agent' | 'broker' | 'gate' | 'connectors';

/** Where a process of a node can be asked: an abstract unix socket on Linux, a loopback port elsewhere. */
export type InstanceContact = { socketPath: string } | { host: string; port: number };

/** Another process already is this node's agent or broker. */
export class InstanceTakenError extends BrokerError {}

/**
 * Makes `server` the one instance of its role on the node, and its address the one where it is asked. On Linux the
 * kernel picks the winner and frees the name with the process, so there is no stale lock and no pid to trust.
 * Throws InstanceTakenError when another process has it.
 */
export async function claimInstance(
  server: Server,
  place: NodePlace,
  role: InstanceRole,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  if (platform === 'linux') return listen(server, { path: abstractName(place, role) }, role);
  const running = await contactInstance(place, role, platform);
  if (running && (await answers(running))) throw taken(role);
  await listen(server, { host: '127.0.0.1', port: 0 }, role);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new BrokerError('the control port has no address');
  await writePrivateFile(portFile(place, role), `${address.port}\n`);
}

/** Where the role of this node would answer, or null when nothing says so. Asking it tells whether it lives. */
export async function contactInstance(
  place: NodePlace,
  role: InstanceRole,
  platform: NodeJS.Platform = process.platform,
): Promise<InstanceContact | null> {
  if (platform === 'linux') return { socketPath: abstractName(place, role) };
  const port = Number(await readFileIfAny(portFile(place, role)));
  return port > 0 ? { host: '127.0.0.1', port } : null;
}

function abstractName(place: NodePlace, role: InstanceRole): string {
  return `\0landlord-${place.installation}-${place.nodeId}-${role}`;
}

function portFile(place: NodePlace, role: InstanceRole): string {
  return join(place.dir, `${role}.port`);
}

async function answers(contact: InstanceContact): Promise<boolean> {
  try {
    return (await requestJson(contact, { method: 'GET', path: '/ping', timeoutMs: 2_000 })).status > 0;
  } catch {
    return false;
  }
}

function listen(server: Server, where: { path: string } | { host: string; port: number }, role: InstanceRole) {
  return new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => reject(error.code === 'EADDRINUSE' ? taken(role) : error);
    server.once('error', fail);
    server.listen(where, () => {
      server.off('error', fail);
      resolve();
    });
  });
}

function taken(role: InstanceRole): InstanceTakenError {
  return new InstanceTakenError(`another ${role} of this node is already running`);
}
