import { request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { hasSeveralHosts, type ConnectionAdmission } from '@libs/domain/admission';
import { serverOfAcceptedSockets } from '../../../gate/accepted-sockets.js';
import { ipv4Of } from '../../../gate/access-rules.js';
import { hasBody, setSecurityHeaders } from '../../../gate/http-answers.js';
import type { ClientLogins } from '../../../gate/logins/client-logins.js';
import type { LoginRefusals } from '../../../gate/logins/login-refusals.js';
import type { PublishRate } from '../../../gate/rate/publish-rate.js';
import type { BrowserPage } from '../../../gate/ui/browser-page.js';
import { knowByHttp } from '../../../gate/visitor.js';
import { NOBODY, type Account } from './frame-filter.js';
import {
  ANSWER_TIMEOUT_MS,
  diskIsFull,
  notFound,
  readJson,
  severalHosts,
  tooSlow,
  unauthorized,
  unavailable,
} from './http-refusals.js';
import { PacedBody } from './paced-body.js';
import type { ServerAgent } from './server-agent.js';
import { userOfToken } from './token-user.js';
import type { UnansweredWrites } from './unanswered-writes.js';

/**
 * The first segments of the paths that clients may use. The others stay on the node: `snapshot` has no check of permissions and
 * contains the configuration and the processes of the machine, `metrics` needs no token, and a later release may add more.
 */
const PASSED = new Set(['', 'ping', 'stats', 'clients', 'cluster', 'users', 'personal-access-tokens', 'streams']);
/** Where clients send messages. */
const MESSAGES = /^\/streams\/[^/]+\/topics\/[^/]+\/messages\/?(\?|$)/;
const SIGN_INS = new Set(['/users/login', '/users/refresh-token', '/personal-access-tokens/login']);
/** Headers of one connection, not of the request. */
const OF_CONNECTION = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'];

/** The server has a request and does not answer. */
class AnswerTimeout extends Error {}

/** What the HTTP port of the gate needs of the node. */
export interface HttpService {
  logins: ClientLogins;
  refusals: LoginRefusals;
  accountOf: (password: string) => Account;
  /** Whether a token of this user is good. */
  isUser: (id: number) => boolean;
  /** Connections to the HTTP listener of the server. */
  agent: ServerAgent;
  /** Null: no limit. */
  rate: PublishRate | null;
  /** Loads the page for browsers. */
  page: () => Promise<BrowserPage>;
  writes: UnansweredWrites;
  /** Whether clients may store something new. */
  mayStore: () => boolean;
}

/**
 * The HTTP interface of the server for clients. Replaces the credentials of sign-ins by the account of the client at the server,
 * refuses tokens of users whose password has ended, and passes everything else that clients may use.
 */
export class HttpListener {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly ended = { received: 0, sent: 0 };
  /** Loaded by the first request for the page, to save memory on nodes that nobody opens in a browser. */
  private page: Promise<BrowserPage> | null = null;

  /** Set before the first connection. */
  admission: ConnectionAdmission | null = null;

  constructor(private readonly service: HttpService) {
    this.server = serverOfAcceptedSockets((incoming, response) => {
      this.follow(incoming, response);
      if (hasSeveralHosts(incoming)) return severalHosts(incoming, response);
      this.answer(incoming, response).catch(() => response.destroy());
    });
  }

  accept(socket: Socket): void {
    this.sockets.add(socket);
    socket.once('close', () => {
      this.sockets.delete(socket);
      this.ended.received += socket.bytesRead;
      this.ended.sent += socket.bytesWritten;
    });
    this.server.emit('connection', socket);
    // The gate has read the first bytes and paused the socket.
    socket.resume();
  }

  /** Bytes of all connections. */
  get traffic(): { received: number; sent: number } {
    const total = { ...this.ended };
    for (const { bytesRead, bytesWritten } of this.sockets) {
      total.received += bytesRead;
      total.sent += bytesWritten;
    }
    return total;
  }

  close(): void {
    this.service.agent.destroy();
    void this.page?.then((page) => page.close());
  }

  private follow(incoming: IncomingMessage, response: ServerResponse): void {
    const { socket } = incoming;
    this.admission?.begin(socket, incoming);
    response.once('close', () => this.admission?.end(socket));
  }

  private async answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url?.split('?')[0] ?? '';
    if (isOfPage(incoming, path)) return this.answerPage(incoming, response, path);
    if (!PASSED.has(path.split('/')[1] ?? '')) return notFound(incoming, response);
    if (!this.isTokenGood(bearerOf(incoming))) return unauthorized(incoming, response);
    const route = `${incoming.method} ${path}`;
    if (route === 'POST /users/login') return this.signIn(incoming, response);
    if (route === 'POST /users/refresh-token') return this.refresh(incoming, response);
    if (incoming.method === 'POST' && !SIGN_INS.has(path) && !this.service.mayStore())
      return diskIsFull(incoming, response);
    this.pass(incoming, response, null);
  }

  private async answerPage(incoming: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    setSecurityHeaders(response);
    // The rest of a body may not be read, so its connection cannot be used again.
    if (hasBody(incoming)) response.setHeader('connection', 'close');
    else incoming.resume();
    this.page ??= this.service.page();
    const page = await this.page;
    if (page.isSignedIn(incoming)) knowByHttp(this.admission, incoming.socket);
    await page.answer(incoming, response, path);
  }

  private async signIn(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readJson(incoming, response);
    if (body === null) return;
    const { username, password } = body;
    const login = this.service.logins.verify(textOf(username), textOf(password));
    if (login === null) this.service.refusals.note(ipv4Of(incoming.socket.remoteAddress));
    const account = login ? this.service.accountOf(login.password) : NOBODY;
    this.pass(incoming, response, JSON.stringify({ ...body, ...account }));
  }

  private async refresh(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readJson(incoming, response);
    if (body === null) return;
    if (!this.isTokenGood(textOf(body['token']))) return unauthorized(incoming, response);
    this.pass(incoming, response, JSON.stringify(body));
  }

  /** A text that is no token passes: the server refuses it. */
  private isTokenGood(token: string | null): boolean {
    const user = token === null ? null : userOfToken(token);
    return user === null || this.service.isUser(user);
  }

  /** `body`: replaces the body of the request, which was read. Null: passes the body of the request. */
  private pass(incoming: IncomingMessage, response: ServerResponse, body: string | null): void {
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).filter(([name]) => !OF_CONNECTION.includes(name) && name !== 'host'),
    );
    if (body !== null) headers['content-length'] = String(Buffer.byteLength(body));
    const { method, url: path } = incoming;
    const { agent } = this.service;
    const options = { host: 'iggy-server', method, path, headers, agent, timeout: ANSWER_TIMEOUT_MS };
    const call = request(options, (answer) => {
      answered?.(true);
      // Only the server can judge a token. A sign-in proves itself in the same way.
      if (isProof(incoming, answer.statusCode)) knowByHttp(this.admission, incoming.socket);
      response.writeHead(answer.statusCode ?? 502, without(answer.headers));
      answer.pipe(response);
      answer.once('error', () => response.destroy());
    });
    let answered: ((isAnswered: boolean) => void) | null = null;
    if (method !== 'GET' && method !== 'HEAD') call.once('finish', () => (answered = this.service.writes.begin()));
    call.once('close', () => answered?.(false));
    call.once('timeout', () => call.destroy(new AnswerTimeout()));
    call.once('error', (error) => {
      if (response.headersSent) response.destroy();
      else if (error instanceof AnswerTimeout) tooSlow(incoming, response);
      else unavailable(incoming, response);
    });
    // The client is gone: nobody needs the answer.
    response.once('close', () => call.destroy());
    if (body === null) this.bodyOf(incoming).pipe(call);
    else call.end(body);
  }

  /** Messages wait for the rate of the deployment. */
  private bodyOf(incoming: IncomingMessage): Readable {
    const { rate } = this.service;
    const isSend = incoming.method === 'POST' && MESSAGES.test(incoming.url ?? '');
    return rate && isSend ? incoming.pipe(new PacedBody(rate)) : incoming;
  }
}

/** Programs get the answer of the server at `/`, and browsers the page. */
const isOfPage = ({ headers }: IncomingMessage, path: string): boolean =>
  path === '/ui' || path.startsWith('/ui/') || (path === '/' && /\btext\/html\b/.test(headers.accept ?? ''));

const without = (headers: IncomingMessage['headers']) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.includes(name)));

/** Whether the server has accepted the credentials of a request. `ping` needs none. */
const isProof = (incoming: IncomingMessage, status = 0): boolean =>
  status < 300 &&
  (bearerOf(incoming) !== null || SIGN_INS.has(incoming.url?.split('?')[0] ?? '')) &&
  !/^\/(ping)?(\?|$)/.test(incoming.url ?? '');

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function bearerOf({ headers }: IncomingMessage): string | null {
  const [, token = null] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return token;
}
