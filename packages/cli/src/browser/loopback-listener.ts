import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CommandError, EXIT } from '../exit.js';

const HOST = '127.0.0.1';
const PATIENCE_MS = 10 * 60_000;
const PATH = '/';

/** Waits on a port of this computer until the browser brings the code of a login. */
export class LoopbackListener {
  private waiting: ServerResponse | null = null;

  private constructor(
    private readonly server: Server,
    private readonly state: string,
  ) {}

  static async open(state: string): Promise<LoopbackListener> {
    const server = createServer();
    server.listen(0, HOST);
    await once(server, 'listening');
    return new LoopbackListener(server, state);
  }

  /** The address for the redirect. */
  get redirect_uri(): string {
    return `http://${HOST}:${(this.server.address() as AddressInfo).port}${PATH}`;
  }

  /**
   * The code of the first request with the right state. Every other request is refused, because other programs and
   * websites can reach the port, too. The browser waits for `answer`.
   * @throws CommandError after ten minutes
   */
  code(): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(tooLate()), PATIENCE_MS);
      this.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        const code = this.waiting === null ? this.codeIn(request) : null;
        if (code === null) return say(response, 400, 'This page is only for the login that the command line started.');
        clearTimeout(timer);
        this.waiting = response;
        resolve(code);
      });
    });
  }

  /** Shows the text in the browser that brought the code. */
  answer(text: string): void {
    if (this.waiting !== null) say(this.waiting, 200, text);
  }

  close(): void {
    this.server.close();
    this.server.closeIdleConnections();
  }

  private codeIn({ method, url = '' }: IncomingMessage): string | null {
    if (!URL.canParse(url, this.redirect_uri)) return null;
    const { pathname, searchParams } = new URL(url, this.redirect_uri);
    if (method !== 'GET' || pathname !== PATH || !isSame(searchParams.get('state') ?? '', this.state)) return null;
    return searchParams.get('code');
  }
}

function isSame(text: string, expected: string): boolean {
  const [given, wanted] = [Buffer.from(text), Buffer.from(expected)];
  // Compares bytes: the same number of letters can be more bytes.
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function say(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end(`${text}\n`);
}

const tooLate = (): CommandError =>
  new CommandError('No key was created within ten minutes.', EXIT.unauthenticated, 'landlord login --browser');
