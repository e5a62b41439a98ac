import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { BrokerError } from '../broker-error.js';
import { contactInstance, type InstanceRole } from '../instance-socket.js';
import type { NodePlace } from '../node-place.js';

export const INLET_PATH = '/mqtt';
const ENTER_TIMEOUT_MS = 5_000;

/**
 * The way of the node's own clients into its broker: by the control channel of the process that owns the public ports, turned
 * into an MQTT connection. The access rules say who may come from outside; this does not come from there. No address of the
 * network leads to it, and the secret lies in 0600 files of the node only.
 */
export interface Inlet {
  role: InstanceRole;
  secret: string;
}

export function inletOf(role: InstanceRole, token: string | null): Inlet | null {
  return token === null ? null : { role, secret: inletSecret(token) };
}

/** Another than the token, from which it is made: who has it can connect a client, and neither stop nor open anything. */
export function inletSecret(token: string): string {
  return createHmac('sha256', token).update('inlet').digest('hex');
}

/** A connection on which the broker expects MQTT. Rejects with BrokerError when nobody lets it in. */
export async function enterBroker(place: NodePlace, { role, secret }: Inlet): Promise<Socket> {
  const contact = await contactInstance(place, role);
  if (contact === null) throw new BrokerError('the broker does not run');
  const headers = { connection: 'Upgrade', upgrade: 'mqtt', authorization: `Bearer ${secret}` };
  return new Promise((resolve, reject) => {
    const call = request({ ...contact, path: INLET_PATH, headers, agent: false });
    const timer = setTimeout(
      () => call.destroy(new BrokerError('the broker did not answer in time')),
      ENTER_TIMEOUT_MS,
    );
    call.once('close', () => clearTimeout(timer));
    call.once('upgrade', (_answer, socket: Socket) => {
      clearTimeout(timer);
      socket.on('error', () => socket.destroy());
      resolve(socket);
    });
    call.once('response', ({ statusCode }) => {
      call.destroy();
      reject(new BrokerError(`the broker did not let the connectors in: ${statusCode}`));
    });
    call.once('error', (error) =>
      reject(error instanceof BrokerError ? error : new BrokerError('the broker does not run')),
    );
    call.end();
  });
}
