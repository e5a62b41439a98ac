import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ServiceRequest {
  method: string;
  /** Path without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface ServiceAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** An HTTP service that answers by a function: the base of contract fakes. */
export class FakeService {
  readonly requests: ServiceRequest[] = [];
  private readonly server: Server;

  private constructor(public answers: (request: ServiceRequest) => ServiceAnswer) {
    this.server = createServer((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const { pathname, searchParams: query } = new URL(incoming.url ?? '/', 'http://service');
        const { method = '', headers } = incoming;
        const request = {
          method,
          path: decodeURIComponent(pathname),
          query,
          headers,
          body: Buffer.concat(chunks).toString(),
        };
        this.requests.push(request);
        const { status = 200, body, headers: own } = this.answers(request);
        const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
        response.writeHead(status, own).end(method === 'HEAD' || status === 204 ? undefined : text);
      });
    });
  }

  static async start(answers: (request: ServiceRequest) => ServiceAnswer): Promise<FakeService> {
    const fake = new FakeService(answers);
    await new Promise<void>((resolve) => fake.server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
