import { createServer, type Server } from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testAuthority } from './test-authority.js';

/** A received request. */
export interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  /** The unparsed body. */
  text: string;
  body: any;
  at: number;
}

/** The reaction to a request: a status, no answer at all, or a reset connection. */
export type Reaction = number | 'hang' | 'reset';

/** A real HTTPS server on loopback that stores its requests. Its certificate is from the authority of the run. */
export class WebhookReceiver {
  readonly requests: ReceivedRequest[] = [];
  /** Called and awaited for each request. Default: 204. */
  react: (request: ReceivedRequest) => Reaction | Promise<Reaction> = () => 204;
  /** Headers and body of every answer. */
  answer: { headers?: Record<string, string>; body?: string } = {};

  private constructor(private readonly server: Server) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => void this.receive(request, Buffer.concat(chunks).toString('utf8'), response));
    });
  }

  static async start(): Promise<WebhookReceiver> {
    const { cert, key } = await testAuthority();
    const server = createServer({ cert, key });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    return new WebhookReceiver(server);
  }

  /** Settings of a cloud that can reach the receiver. */
  static async env(): Promise<Record<string, string>> {
    return { ALLOW_PRIVATE_DESTINATIONS: 'true', NODE_EXTRA_CA_CERTS: (await testAuthority()).caFile };
  }

  get url(): string {
    return `https://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Requests of one path, in the order of their arrival. */
  at(path: string): ReceivedRequest[] {
    return this.requests.filter((request) => request.path === path);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async receive(incoming: IncomingMessage, text: string, response: ServerResponse): Promise<void> {
    const request = {
      path: incoming.url ?? '',
      headers: incoming.headers,
      text,
      body: text === '' ? null : JSON.parse(text),
      at: Date.now(),
    };
    this.requests.push(request);
    const reaction = await this.react(request);
    if (reaction === 'reset') incoming.socket.destroy();
    else if (reaction !== 'hang') response.writeHead(reaction, this.answer.headers).end(this.answer.body);
  }
}
