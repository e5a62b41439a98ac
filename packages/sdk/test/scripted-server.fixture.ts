import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  line: string;
  headers: IncomingHttpHeaders;
  body: string;
  atMs: number;
}

/** Answers one request. */
type Answer = (response: ServerResponse) => void;

/** A server whose answers a test gives one after the other. Real sockets, so that connections really break. */
export class ScriptedServer {
  readonly seen: SeenRequest[] = [];
  private answers: Answer[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ScriptedServer> {
    const server = createServer();
    const scripted = new ScriptedServer(server);
    server.on('request', (asked, response) => {
      const chunks: Buffer[] = [];
      asked.on('data', (chunk: Buffer) => chunks.push(chunk));
      asked.on('end', () => {
        const { method = '', url = '', headers } = asked;
        scripted.seen.push({
          ...{ line: `${method} ${url}`, headers, body: Buffer.concat(chunks).toString(), atMs: performance.now() },
        });
        const answer = scripted.answers.shift() ?? json(500, { title: 'the test gave no answer' });
        answer(response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return scripted;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Replaces the answers, and forgets the requests. */
  script(...answers: Answer[]): void {
    this.answers = answers;
    this.seen.length = 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(status === 204 ? undefined : JSON.stringify(body));
  };

/** A refusal as Landlord writes it. */
export const problem = (
  status: number,
  code: string,
  {
    retryable = false,
    retryAfter,
    ...more
  }: { retryable?: boolean; retryAfter?: number; [member: string]: unknown } = {},
): Answer =>
  json(
    status,
    {
      type: 'about:blank',
      title: code,
      status,
      detail: `It is ${code}.`,
      instance: 'request-1',
      code,
      retryable,
      ...more,
    },
    retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
  );

export const page =
  (status: number, html: string): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'text/html' });
    response.end(html);
  };

/** The connection breaks before an answer. */
export const cut: Answer = (response) => void response.socket?.destroy();

/** Never answers. */
export const silence: Answer = () => undefined;

/** Sends the text of a stream, and then ends it or cuts the connection. */
export const stream =
  (text: string, end: 'ends' | 'is cut' | 'stays open' = 'ends'): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text, () => {
      if (end === 'ends') response.end();
      if (end === 'is cut') response.socket?.destroy();
    });
  };
