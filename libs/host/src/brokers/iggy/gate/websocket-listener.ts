import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createWebSocketStream, WebSocket, WebSocketServer } from 'ws';
import { serverOfAcceptedSockets } from '../../../gate/accepted-sockets.js';
import type { BrokerConnections } from '../../../gate/broker-connections.js';

/** Largest message that the server takes by default. */
const MESSAGE_LIMIT_BYTES = 64 * 1024 * 1024;
const HANDSHAKE_TIMEOUT_MS = 3_000;

/** The binary protocol over WebSocket: the frames of a connection are in binary messages. */
export class WebSocketListener {
  private readonly http: Server;
  private readonly upgrades = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_LIMIT_BYTES,
    perMessageDeflate: false,
  });

  constructor(
    private readonly servers: BrokerConnections,
    private readonly onClient: (client: Duplex, server: Duplex, socket: Socket) => void,
  ) {
    this.http = serverOfAcceptedSockets((_request, response) => {
      response.writeHead(426, { connection: 'close', upgrade: 'websocket' }).end();
    });
    this.http.on('upgrade', (request, socket, head) => {
      this.upgrades.handleUpgrade(request, socket, head, (client) => void this.join(client, socket as Socket));
    });
  }

  accept(socket: Socket): void {
    this.http.emit('connection', socket);
    // The gate has read the first bytes and paused the socket.
    socket.resume();
  }

  close(): void {
    this.upgrades.close();
  }

  private async join(client: WebSocket, socket: Socket): Promise<void> {
    // Listens to the client before anything else, so that none of its frames is lost.
    const near = createWebSocketStream(client);
    near.on('error', () => near.destroy());
    try {
      this.onClient(near, await this.reach(), socket);
    } catch {
      client.terminate();
    }
  }

  private async reach(): Promise<Duplex> {
    const socket = await this.servers.open();
    const options = {
      perMessageDeflate: false,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      maxPayload: MESSAGE_LIMIT_BYTES,
    };
    const server = new WebSocket('ws://iggy-server/', { ...options, createConnection: () => socket });
    await new Promise<void>((resolve, reject) => {
      server.once('open', resolve);
      server.once('error', reject);
    });
    return createWebSocketStream(server);
  }
}
