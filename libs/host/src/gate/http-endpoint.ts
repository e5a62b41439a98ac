import { ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { hasSeveralHosts, type ConnectionAdmission } from '@libs/domain/admission';
import { secretEqual } from '../control/secret-equal.js';
import { serverOfAcceptedSockets } from './accepted-sockets.js';
import {
  hasBody,
  isTooLarge,
  PageRefusal,
  send,
  sendRefusal,
  setSecurityHeaders,
  severalHosts,
  tooLarge,
} from './http-answers.js';
import { ipv4Of } from './access-rules.js';
import type { Login } from './logins/client-logins.js';
import type { BrowserPage } from './ui/browser-page.js';
import type { PageSources } from './ui/page-sources.js';
import { knowByHttp, visitorOf } from './visitor.js';

const PAGE_SOCKET = '/ui/socket';
/** Time limit for a client that does not read its answer. */
const IDLE_MS = 60_000;

/**
 * The HTTP endpoint of a node for clients: `GET /ping` for every accepted client, `GET /stats` with the credentials, and the
 * page of the broker for browsers under `/ui/`.
 */
export class HttpEndpoint {
  private readonly server: Server;
  private page: Promise<BrowserPage> | null = null;

  constructor(
    private readonly sources: PageSources,
    private readonly stats: () => Record<string, number> | Promise<Record<string, number>>,
    /** Null: a connection that no gate has admitted. */
    private readonly admission: ConnectionAdmission | null = null,
  ) {
    this.server = serverOfAcceptedSockets((request, response) => this.answer(request, response), admission);
    this.server.timeout = IDLE_MS;
    this.server.on('upgrade', (request, socket, head) => this.upgrade(request, socket as Socket, head));
  }

  accept(socket: Socket): void {
    this.server.emit('connection', socket);
    // The gate has read the first byte and paused the socket.
    socket.resume();
  }

  close(): void {
    void this.page?.then((page) => page.close());
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    setSecurityHeaders(response);
    // The rest of a body is not read, so its connection cannot be used again.
    if (hasBody(request)) response.setHeader('connection', 'close');
    else request.resume();
    if (hasSeveralHosts(request)) return sendRefusal(response, severalHosts());
    if (isTooLarge(request)) return sendRefusal(response, tooLarge());
    const path = request.url?.split('?')[0] ?? '';
    if (isPagePath(path)) return void this.answerPage(request, response, path);
    const route = `${request.method} ${path}`;
    if (route === 'GET /ping') return send(response, 200, 'text/plain', 'pong');
    if (route !== 'GET /stats') return send(response, 404, 'application/json', '{"code":"route_not_found"}');
    if (!this.isAuthorized(request)) {
      response.setHeader('www-authenticate', 'Basic realm="broker"');
      return send(response, 401, 'application/json', '{"code":"unauthenticated"}');
    }
    knowByHttp(this.admission, request.socket);
    void this.sendStats(response);
  }

  private async answerPage(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    try {
      const page = await this.loadPage();
      if (page.isSignedIn(request)) knowByHttp(this.admission, request.socket);
      await page.answer(request, response, path);
    } catch {
      response.destroy();
    }
  }

  private upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    if (isPageSocket(request)) void this.openPageSocket(request, socket, head);
    else this.answerWithoutUpgrade(request, socket);
  }

  private async openPageSocket(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    try {
      const page = await this.loadPage();
      page.upgrade(request, socket, head);
      if (this.admission) visitorOf(this.admission, socket).signedIn();
    } catch (error) {
      if (error instanceof PageRefusal) sendRefusal(responseFor(request, socket), error);
      else socket.destroy();
    }
  }

  /** Some HTTP clients offer an upgrade to HTTP/2 with each request. Their request is answered as any other. */
  private answerWithoutUpgrade(request: IncomingMessage, socket: Socket): void {
    const response = responseFor(request, socket);
    // The parser has stopped, so the body of the request cannot be read.
    if (hasBody(request)) sendRefusal(response, tooLarge());
    else this.answer(request, response);
  }

  /** Loaded by the first request for the page, to save memory on nodes that nobody opens in a browser. */
  private loadPage(): Promise<BrowserPage> {
    this.page ??= import('./ui/mqtt-views.js').then(({ loadMqttPage }) => loadMqttPage(this.sources));
    return this.page;
  }

  private async sendStats(response: ServerResponse): Promise<void> {
    try {
      send(response, 200, 'application/json', JSON.stringify(await this.stats()));
    } catch {
      send(response, 503, 'application/json', '{"code":"broker_unavailable"}');
    }
  }

  private isAuthorized(request: IncomingMessage): boolean {
    const { authorization = '' } = request.headers;
    const expected = this.sources.logins.accepted().map(basicAuthorization);
    const isEqual = expected.filter((one) => secretEqual(authorization, one)).length > 0;
    if (!isEqual && authorization !== '') this.sources.clients.refusals.note(ipv4Of(request.socket.remoteAddress));
    return isEqual;
  }
}

const basicAuthorization = ({ username, password }: Login): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

const isPageSocket = ({ url, headers }: IncomingMessage): boolean =>
  url?.split('?')[0] === PAGE_SOCKET && headers.upgrade?.toLowerCase() === 'websocket';

const isPagePath = (path: string): boolean => path === '/' || path === '/ui' || path.startsWith('/ui/');

/** The answer to a request with an upgrade. Node.js makes none for such a request. */
function responseFor(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.end());
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  setSecurityHeaders(response);
  return response;
}
