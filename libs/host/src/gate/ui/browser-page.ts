import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PageRefusal, send, sendJson, sendRefusal } from '../http-answers.js';
import type { ClientLogins } from '../logins/client-logins.js';
import type { LoginRefusals } from '../logins/login-refusals.js';
import type { PageFile } from './page-files.js';
import type { PageIdentity } from './page-sources.js';
import { PageSessions, type PageSession } from './sessions/page-sessions.js';
import { isSameOrigin, PAGE_HEADER } from './sessions/same-origin.js';
import { cookieHeader, cookieName, tokenOf } from './sessions/session-cookie.js';
import { SignIn } from './sessions/sign-in.js';

/** What the page needs of a node with any broker. */
export interface PageNode {
  identity: PageIdentity;
  logins: ClientLogins;
  refusals: LoginRefusals;
}

/** A request of a signed-in browser. */
export interface PageCall {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
  /** GET for HEAD. */
  method: string | undefined;
}

/** The part of the page that differs between brokers. */
export interface PageViews {
  /**
   * Answers a request that is not for a file or the session.
   * @throws PageRefusal
   */
  answer(call: PageCall): Promise<void> | void;
  /**
   * Opens a WebSocket. Absent: the page uses none.
   * @throws PageRefusal
   */
  open?(request: IncomingMessage, socket: Socket, head: Buffer, session: PageSession): void;
  close?(): void;
}

/** The page of the broker for browsers: its files, sessions and views. Everything except the files needs a session. */
export class BrowserPage {
  private readonly sessions = new PageSessions();
  private readonly signIn: SignIn;
  private readonly cookie: string;

  constructor(
    private readonly node: PageNode,
    private readonly views: PageViews,
    private readonly files: ReadonlyMap<string, PageFile>,
  ) {
    this.signIn = new SignIn(node.logins, node.refusals);
    this.cookie = cookieName(node.identity);
    node.logins.onRotation(() => this.sessions.endAll());
  }

  async answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    try {
      await this.perform({ request, response, path, method });
    } catch (error) {
      if (!(error instanceof PageRefusal)) throw error;
      sendRefusal(response, error);
    }
  }

  /**
   * Opens the WebSocket of a signed-in page. The caller has checked the path.
   * @throws PageRefusal origin_refused, unauthenticated, and those of the views
   */
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const session = this.sessionOf(request);
    if (!isSameOrigin(request)) throw foreignOrigin();
    if (session === null) throw signedOut();
    this.views.open?.(request, socket, head, session);
  }

  /** Whether the request has a session of this page. */
  isSignedIn(request: IncomingMessage): boolean {
    return this.sessionOf(request) !== null;
  }

  close(): void {
    this.sessions.endAll();
    this.views.close?.();
  }

  private async perform(call: PageCall): Promise<void> {
    const { request, response, path, method } = call;
    if (path === '/' || path === '/ui') return redirect(response, method);
    const file = this.files.get(path);
    if (file) return method === 'GET' ? send(response, 200, file.type, file.content) : refuseMethod('GET, HEAD');
    if (method !== 'GET') requireSamePage(request);
    if (path === '/ui/session') return this.session(call);
    if (this.sessionOf(request) === null) throw signedOut();
    await this.views.answer(call);
  }

  private async session({ request, response, method }: PageCall): Promise<void> {
    if (method === 'POST') {
      const login = await this.signIn.verify(request);
      const previous = this.sessionOf(request);
      if (previous) this.sessions.end(previous);
      const { token, session } = this.sessions.start();
      session.onEnd.add(this.node.logins.hold(login, () => this.sessions.end(session)));
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

  private sessionOf(request: IncomingMessage): PageSession | null {
    return this.sessions.find(tokenOf(request, this.cookie));
  }

  private viewOf({ expiresAtMs }: PageSession) {
    return {
      ...this.node.identity,
      username: this.node.logins.current.username,
      expires_at: new Date(expiresAtMs).toISOString(),
    };
  }
}

/** Whether the browser uses TLS. */
export const isSecure = ({ socket }: IncomingMessage): boolean => 'encrypted' in socket;

const signedOut = (): PageRefusal =>
  new PageRefusal(401, 'unauthenticated', 'Sign in with the credentials of the deployment.');

function requireSamePage(request: IncomingMessage): void {
  if (isSameOrigin(request) && request.headers[PAGE_HEADER] !== undefined) return;
  throw foreignOrigin();
}

const foreignOrigin = (): PageRefusal =>
  new PageRefusal(403, 'origin_refused', 'This request does not come from the page of this broker.');

/** @throws PageRefusal method_not_allowed, always */
export function refuseMethod(allow: string): never {
  throw new PageRefusal(405, 'method_not_allowed', `This address supports ${allow}.`, { allow });
}

function redirect(response: ServerResponse, method: string | undefined): void {
  if (method !== 'GET') return refuseMethod('GET, HEAD');
  response.writeHead(302, { location: '/ui/', 'content-length': 0 }).end();
}
