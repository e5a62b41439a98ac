import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { secretEqual } from '../control/secret-equal.js';

/** Time limit for the request of a client. */
export const HTTP_PATIENCE_MS = 10_000;

/** The HTTP endpoint of a node for clients: `GET /ping` for every accepted client, `GET /stats` with the credentials. */
export class HttpEndpoint {
  private readonly server: Server;

  constructor(
    private readonly credentials: { username: string; password: string },
    private readonly stats: () => Record<string, number> | Promise<Record<string, number>>,
  ) {
    const limits = { headersTimeout: HTTP_PATIENCE_MS, requestTimeout: HTTP_PATIENCE_MS, keepAliveTimeout: 30_000 };
    this.server = createServer(limits, (request, response) => this.answer(request, response));
  }

  accept(socket: Socket): void {
    this.server.emit('connection', socket);
    // The gate has read the first byte and paused the socket.
    socket.resume();
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    const route = `${request.method} ${request.url?.split('?')[0]}`;
    if (route === 'GET /ping') return send(response, 200, 'text/plain', 'pong');
    if (route !== 'GET /stats') return send(response, 404, 'application/json', '{"code":"route_not_found"}');
    if (!this.isAuthorized(request)) {
      response.setHeader('www-authenticate', 'Basic realm="broker"');
      return send(response, 401, 'application/json', '{"code":"unauthenticated"}');
    }
    void this.sendStats(response);
  }

  private async sendStats(response: ServerResponse): Promise<void> {
    try {
      send(response, 200, 'application/json', JSON.stringify(await this.stats()));
    } catch {
      send(response, 503, 'application/json', '{"code":"broker_unavailable"}');
    }
  }

  private isAuthorized(request: IncomingMessage): boolean {
    const expected = Buffer.from(`${this.credentials.username}:${this.credentials.password}`).toString('base64');
    return secretEqual(request.headers.authorization ?? '', `Basic ${expected}`);
  }
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}
