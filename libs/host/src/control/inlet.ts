import { request } from 'node:http';
import type { Socket } from 'node:net';
import { BrokerError } from './broker-error.js';
import { contactInstance, type InstanceContact, type InstanceRole } from './instance-socket.js';
import type { NodeHome } from './node-home.js';
import { isProven, PROOF_HEADER, proveRequest, type Answered } from './proofs.js';

export const INLET_PATH = '/mqtt';
/** The answer to a client of the node. */
export const ENTERED: Answered = { status: 101, payload: '' };
const ENTER_TIMEOUT_MS = 5_000;

/**
 * The connection from the node's own clients to its broker. It uses the control channel of the process that owns the public
 * ports, upgraded to MQTT. Access rules apply to clients from the network; no network address reaches the inlet. A proof for
 * the inlet only opens a client connection.
 */
export interface Inlet {
  role: InstanceRole;
}

/** A connection on which the broker expects MQTT. Rejects with BrokerError when no process of this node accepts it. */
export async function enterBroker(home: NodeHome, { role }: Inlet): Promise<Socket> {
  const contact = await contactInstance(home, role);
  if (contact === null) throw new BrokerError('the broker does not run');
  return enter(contact);
}

function enter({ at, token }: InstanceContact): Promise<Socket> {
  const { nonce, header } = proveRequest(token, 'inlet', { method: 'GET', path: INLET_PATH, payload: '' });
  const headers = { connection: 'Upgrade', upgrade: 'mqtt', authorization: header };
  return new Promise((resolve, reject) => {
    const call = request({ ...at, path: INLET_PATH, headers, agent: false });
    const timer = setTimeout(
      () => call.destroy(new BrokerError('the broker did not respond in time')),
      ENTER_TIMEOUT_MS,
    );
    call.once('close', () => clearTimeout(timer));
    call.once('upgrade', ({ headers: answer }, socket: Socket) => {
      clearTimeout(timer);
      socket.on('error', () => socket.destroy());
      if (isProven(token, nonce, answer[PROOF_HEADER], ENTERED)) return resolve(socket);
      socket.destroy();
      reject(new BrokerError('the broker does not run'));
    });
    call.once('response', ({ statusCode }) => {
      call.destroy();
      reject(new BrokerError(`the broker refused the connectors: ${statusCode}`));
    });
    call.once('error', (error) =>
      reject(error instanceof BrokerError ? error : new BrokerError('the broker does not run')),
    );
    call.end();
  });
}
