import type { Server } from 'node:net';
import { BACKLOG } from '@libs/domain/admission';
import { BrokerError } from '../control/broker-error.js';

/** Listens on an address and port. Rejects with a BrokerError whose message is suitable for `last_error`. */
export function listenOn(server: Server, address: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => reject(new BrokerError(explain(error, address, port)));
    server.once('error', fail);
    server.listen({ host: address, port, exclusive: true, backlog: BACKLOG }, () => {
      server.off('error', fail);
      // A failed accept (no free file descriptor) affects one connection. Without a listener it would end the process.
      server.on('error', () => undefined);
      resolve();
    });
  });
}

function explain(error: NodeJS.ErrnoException, address: string, port: number): string {
  if (error.code === 'EADDRINUSE') return `port ${port} is already in use`;
  if (error.code === 'EACCES') return `port ${port} may not be opened by this user`;
  if (error.code === 'EADDRNOTAVAIL') return `address ${address} is not on this machine`;
  return `port ${port} cannot be opened: ${error.code ?? error.message}`;
}
