import { Agent } from 'node:http';
import type { Duplex } from 'node:stream';
import type { BrokerConnections } from '../../../gate/broker-connections.js';

/** Keeps verified connections to the HTTP listener of the server for the requests of clients. */
export class ServerAgent extends Agent {
  constructor(private readonly servers: BrokerConnections) {
    super({ keepAlive: true });
  }

  override createConnection(
    _options: unknown,
    created?: (error: Error | null, socket: Duplex) => void,
  ): Duplex | null | undefined {
    this.servers.open().then(
      (socket) => created?.(null, socket),
      (error: Error) => created?.(error, undefined as unknown as Duplex),
    );
    return undefined;
  }
}
