import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createWebSocketStream, WebSocketServer } from 'ws';

/** The names under which MQTT is asked for in `sec-websocket-protocol`. */
const MQTT_PROTOCOLS = ['mqtt', 'mqttv3.1'];
/** Room for several packets in one WebSocket message; each packet has its own limit. */
const MESSAGE_SLACK_BYTES = 64 * 1024;

/** MQTT over WebSocket, on any path, over sockets which the gate has let in or a follower has carried here. */
export class WebSocketEndpoint {
  private readonly http: Server;
  private readonly upgrades: WebSocketServer;

  constructor(maxPacketBytes: number, onClient: (stream: Duplex) => void) {
    this.upgrades = new WebSocketServer({
      noServer: true,
      maxPayload: maxPacketBytes + MESSAGE_SLACK_BYTES,
      perMessageDeflate: false,
      handleProtocols: (asked) => MQTT_PROTOCOLS.find((protocol) => asked.has(protocol)) ?? false,
    });
    this.http = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, (_request, response) => {
      response.writeHead(426, { connection: 'close', upgrade: 'websocket' }).end();
    });
    this.http.on('upgrade', (request, socket, head) => {
      this.upgrades.handleUpgrade(request, socket, head, (client) => onClient(createWebSocketStream(client)));
    });
  }

  accept(socket: Socket): void {
    this.http.emit('connection', socket);
    // It arrives paused: the gate has read its first byte, or the leader the first line of one that was carried.
    socket.resume();
  }

  close(): void {
    this.upgrades.close();
  }
}
