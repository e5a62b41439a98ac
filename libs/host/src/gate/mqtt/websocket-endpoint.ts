import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { serverOfAcceptedSockets } from '../accepted-sockets.js';
import { createWebSocketStream, WebSocketServer } from 'ws';

/** The names of MQTT in `sec-websocket-protocol`. */
const MQTT_PROTOCOLS = ['mqtt', 'mqttv3.1'];
/** Allows several packets in one WebSocket message. Each packet has its own limit. */
const MESSAGE_SLACK_BYTES = 64 * 1024;

/** MQTT over WebSocket, on any path, for sockets that the gate accepted or a follower carried. */
export class WebSocketEndpoint {
  private readonly http: Server;
  private readonly upgrades: WebSocketServer;

  constructor(maxPacketBytes: number, onClient: (stream: Duplex, socket: Socket) => void) {
    this.upgrades = new WebSocketServer({
      noServer: true,
      maxPayload: maxPacketBytes + MESSAGE_SLACK_BYTES,
      perMessageDeflate: false,
      handleProtocols: (protocols) => MQTT_PROTOCOLS.find((protocol) => protocols.has(protocol)) ?? false,
    });
    this.http = serverOfAcceptedSockets((_request, response) => {
      response.writeHead(426, { connection: 'close', upgrade: 'websocket' }).end();
    });
    this.http.on('upgrade', (request, socket, head) => {
      this.upgrades.handleUpgrade(request, socket, head, (client) =>
        onClient(createWebSocketStream(client), socket as Socket),
      );
    });
  }

  accept(socket: Socket): void {
    this.http.emit('connection', socket);
    // The socket is paused: the gate has read its first byte, or the leader has read the first line of a carried connection.
    socket.resume();
  }

  close(): void {
    this.upgrades.close();
  }
}
