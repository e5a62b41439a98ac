import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { BrokerConnections } from '../../../gate/broker-connections.js';
import { listenOn } from '../../../gate/listen-on.js';

const LOOPBACK = '127.0.0.1';

/**
 * Loopback ports for programs of the node itself, such as its connectors. The ports of the server change with each of its starts;
 * these stay for the life of the gate. The bytes pass unchanged, so the server checks the credentials. No access rule applies, and
 * no network address reaches these ports.
 */
export class NodePorts {
  private readonly servers: Server[] = [];
  private readonly sockets = new Set<Socket>();
  private opened: Record<string, number> = {};

  /** Connections to the server, by the name of its listener. */
  constructor(private readonly connections: Record<string, BrokerConnections>) {}

  /** The ports by the name of the listener. Empty before `open`. */
  get ports(): Record<string, number> {
    return this.opened;
  }

  /** Rejects with BrokerError. */
  async open(): Promise<void> {
    const opened: Record<string, number> = {};
    for (const [listener, connections] of Object.entries(this.connections)) {
      const server = createServer((socket) => void this.join(socket, connections));
      this.servers.push(server);
      await listenOn(server, LOOPBACK, 0);
      opened[listener] = (server.address() as AddressInfo).port;
    }
    this.opened = opened;
  }

  /** Ends all connections. The programs connect again. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  close(): void {
    for (const server of this.servers) server.close();
    this.cut();
  }

  private async join(client: Socket, connections: BrokerConnections): Promise<void> {
    this.track(client);
    client.pause();
    try {
      const server = await connections.open();
      this.track(server);
      client.once('close', () => server.destroy());
      server.once('close', () => client.destroy());
      if (client.destroyed) return void server.destroy();
      client.pipe(server).pipe(client);
    } catch {
      client.destroy();
    }
  }

  private track(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.sockets.delete(socket));
  }
}
