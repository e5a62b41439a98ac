import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** A proxy for HTTP, and for HTTPS by CONNECT. It keeps what it was asked for. */
export class HttpProxy {
  /** The method and the target of each request. */
  readonly asked: string[] = [];
  private readonly server: Server;
  private readonly tunnels = new Set<Socket>();

  private constructor() {
    this.server = createServer((asked, answer) => this.forward(asked, answer));
    this.server.on('connect', (asked: IncomingMessage, client: Socket) => this.tunnel(asked, client));
  }

  static async start(): Promise<HttpProxy> {
    const proxy = new HttpProxy();
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    for (const socket of this.tunnels) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private forward(asked: IncomingMessage, answer: ServerResponse): void {
    this.asked.push(`${asked.method} ${asked.url}`);
    const { method } = asked;
    // These headers are for this connection, not for the next one.
    const headers = { ...asked.headers };
    for (const name of ['connection', 'proxy-connection']) delete headers[name];
    const call = request(asked.url ?? '', { method, headers }, (received) => {
      answer.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(answer);
    });
    call.on('error', () => answer.writeHead(502).end());
    asked.pipe(call);
  }

  private tunnel({ url = '' }: IncomingMessage, client: Socket): void {
    this.asked.push(`CONNECT ${url}`);
    const [host, port] = url.split(':');
    const server = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(server).pipe(client);
    });
    for (const socket of [client, server]) {
      this.tunnels.add(socket);
      socket.on('error', () => [client, server].forEach((one) => one.destroy()));
    }
  }
}
