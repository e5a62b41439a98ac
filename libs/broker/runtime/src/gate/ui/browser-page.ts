import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import { ipv4Of } from '../access-rules.js';
import { PageRefusal, send, sendJson, sendRefusal } from '../http-answers.js';
import { loadPageFiles, type PageFile } from './page-files.js';
import { listQuery, PageLists } from './page-lists.js';
import { PageSessions, type PageSession } from './sessions/page-sessions.js';
import { PageSocket } from './page-socket.js';
import type { PageSources } from './page-sources.js';
import { isSameOrigin, PAGE_HEADER } from './sessions/same-origin.js';
import { cookieHeader, cookieName, tokenOf } from './sessions/session-cookie.js';
import { SignIn } from './sessions/sign-in.js';

const CLIENTS_PATH = '/ui/clients/';
/** Limit of one WebSocket message: a payload of 64 KiB, escaped as JSON. */
const MESSAGE_BYTES = 512 * 1024;
const MOST_SOCKETS = 32;

interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
}

/** The page of the broker for browsers, its API and its WebSocket. Everything except the files needs a session. */
export class BrowserPage {
  private readonly sessions = new PageSessions();
  private readonly signIn: SignIn;
  private readonly lists: PageLists;
  private readonly cookie: string;
  private readonly upgrades = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  private openSockets = 0;

  private constructor(
    private readonly sources: PageSources,
    private readonly files: ReadonlyMap<string, PageFile>,
  ) {
    this.signIn = new SignIn(sources.logins, sources.clients.refusals);
    this.lists = new PageLists(sources);
    this.cookie = cookieName(sources.identity);
    sources.logins.onRotation(() => this.sessions.endAll());
  }

  static async load(sources: PageSources): Promise<BrowserPage> {
    return new BrowserPage(sources, await loadPageFiles());
  }

  async answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    try {
      await this.perform({ request, response, path });
    } catch (error) {
      if (!(error instanceof PageRefusal)) throw error;
      sendRefusal(response, error);
    }
  }

  /**
   * Opens the WebSocket of a signed-in page. The caller has checked the path.
   * @throws PageRefusal origin_refused, unauthenticated, sockets_limit
   */
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const session = this.sessionOf(request);
    if (!isSameOrigin(request)) throw foreignOrigin();
    if (session === null) throw signedOut();
    if (this.openSockets >= MOST_SOCKETS)
      throw new PageRefusal(503, 'sockets_limit', `The node serves at most ${MOST_SOCKETS} open pages.`);
    const origin = { address: ipv4Of(socket.remoteAddress), protocol: 'browser', tls: isSecure(request) } as const;
    this.upgrades.handleUpgrade(request, socket, head, (client) => {
      const page = new PageSocket(client, origin, this.sources);
      const end = (): void => page.end();
      this.openSockets += 1;
      session.onEnd.add(end);
      client.once('close', () => {
        this.openSockets -= 1;
        session.onEnd.delete(end);
      });
    });
  }

  close(): void {
    this.sessions.endAll();
    this.upgrades.close();
  }

  private async perform(call: Call): Promise<void> {
    const { request, response, path } = call;
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (path === '/' || path === '/ui') return redirect(response, method);
    const file = this.files.get(path);
    if (file) return method === 'GET' ? send(response, 200, file.type, file.content) : refuseMethod('GET, HEAD');
    if (method !== 'GET') requireSamePage(request);
    if (path === '/ui/session') return this.session(call, method);
    if (this.sessionOf(request) === null) throw signedOut();
    if (path.startsWith(CLIENTS_PATH)) return this.disconnect(call, method);
    const list = await this.list(path, request.url ?? '', method);
    sendJson(response, 200, list);
  }

  private async session({ request, response }: Call, method: string | undefined): Promise<void> {
    if (method === 'POST') {
      const login = await this.signIn.verify(request);
      const previous = this.sessionOf(request);
      if (previous) this.sessions.end(previous);
      const { token, session } = this.sessions.start();
      session.onEnd.add(this.sources.logins.hold(login, () => this.sessions.end(session)));
      response.setHeader('set-cookie', cookieHeader(this.cookie, token, isSecure(request)));
      return sendJson(response, 201, this.viewOf(session));
    }
    const session = this.sessionOf(request);
    if (method === 'DELETE') {
      if (session) this.sessions.end(session);
      response.setHeader('set-cookie', cookieHeader(this.cookie, null, isSecure(request)));
      response.writeHead(204).end();
      return;
    }
    if (method !== 'GET') return refuseMethod('GET, POST, DELETE');
    if (session === null) throw signedOut();
    sendJson(response, 200, this.viewOf(session));
  }

  private disconnect({ response, path }: Call, method: string | undefined): void {
    if (method !== 'DELETE') return refuseMethod('DELETE');
    if (!this.sources.clients.disconnect(path.slice(CLIENTS_PATH.length)))
      throw new PageRefusal(404, 'client_not_found', 'The client is no longer connected to this node.');
    response.writeHead(204).end();
  }

  private async list(path: string, url: string, method: string | undefined): Promise<object> {
    if (!['/ui/topics', '/ui/retained', '/ui/clients'].includes(path))
      throw new PageRefusal(404, 'route_not_found', 'The node has no such address.');
    if (method !== 'GET') return refuseMethod('GET, HEAD');
    const query = listQuery(url);
    if (path === '/ui/topics') return this.lists.topics(query);
    return path === '/ui/retained' ? this.lists.retained(query) : this.lists.clients(query);
  }

  private sessionOf(request: IncomingMessage): PageSession | null {
    return this.sessions.find(tokenOf(request, this.cookie));
  }

  private viewOf({ expiresAtMs }: PageSession) {
    return {
      ...this.sources.identity,
      username: this.sources.logins.current.username,
      expires_at: new Date(expiresAtMs).toISOString(),
    };
  }
}

const isSecure = ({ socket }: IncomingMessage): boolean => 'encrypted' in socket;

const signedOut = (): PageRefusal =>
  new PageRefusal(401, 'unauthenticated', 'Sign in with the credentials of the deployment.');

function requireSamePage(request: IncomingMessage): void {
  if (isSameOrigin(request) && request.headers[PAGE_HEADER] !== undefined) return;
  throw foreignOrigin();
}

const foreignOrigin = (): PageRefusal =>
  new PageRefusal(403, 'origin_refused', 'This request does not come from the page of this broker.');

function refuseMethod(allow: string): never {
  throw new PageRefusal(405, 'method_not_allowed', `This address supports ${allow}.`, { allow });
}

function redirect(response: ServerResponse, method: string | undefined): void {
  if (method !== 'GET') return refuseMethod('GET, HEAD');
  response.writeHead(302, { location: '/ui/', 'content-length': 0 }).end();
}
