import { cutNotices, limitsOfGate } from '@libs/domain/admission';
import type { JsonLog } from '../os/json-log.js';
import { ClientNotices } from './clients/client-notices.js';
import { Gate } from './gate.js';

/**
 * The gate of a node, with its row of the table of listeners. `clients`: the signed-in clients that the broker accepts. The log of the
 * node says when a limit closes connections, and when no access rule allows a client.
 */
export const newGate = (clients: number, signInMs: number, log: JsonLog): Gate => {
  const notices = new ClientNotices(log);
  return new Gate(
    limitsOfGate(clients, signInMs),
    cutNotices(({ connections, reasons, last }) =>
      log.warn('connections above a limit were closed', { connections, reasons: JSON.stringify(reasons), last }),
    ),
    (address) => notices.connection(address ?? null),
  );
};
