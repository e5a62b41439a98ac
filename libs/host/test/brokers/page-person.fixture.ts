import { request as plainRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { request as secureRequest } from 'node:https';
import { WebSocket } from 'ws';
import { BrokerError } from '../../src/control/broker-error.js';
import { PASSWORD, until, type BrokerUnderTest } from './embedded.fixture.js';

type Row = Record<string, string | number | boolean | null>;

/** The body of an answer: a list, a session or a refusal. */
export interface PageBody extends Omit<Record<string, unknown>, 'items'> {
  items: Row[];
  status?: number;
  code?: string;
}

/** A message of the node over the WebSocket. */
export interface SocketMessage {
  type: 'ready' | 'message' | 'skipped' | 'done' | 'refused';
  id?: number;
  code?: string;
  detail?: string;
  client_id?: string;
  topic?: string;
  payload?: string;
  retain?: boolean;
  messages?: number;
}

export interface PageAnswer {
  status: number;
  text: string;
  body: PageBody;
  headers: IncomingHttpHeaders;
}

export interface PageCall {
  body?: unknown;
  /** A header with undefined is not sent. */
  headers?: Record<string, string | undefined>;
  /** The address of this machine that the request comes from. */
  from?: string;
}

/** A browser that uses the page of a node, without a screen. */
export class PagePerson {
  cookie = '';
  readonly sockets: PageConnection[] = [];

  constructor(
    readonly broker: BrokerUnderTest,
    /** Uses TLS with this authority. */
    private readonly ca: string | null = null,
  ) {}

  get host(): string {
    return `127.0.0.1:${this.broker.spec.listen.ports.http}`;
  }

  get origin(): string {
    return `${this.ca === null ? 'http' : 'https'}://${this.host}`;
  }

  /** Sends a request as the page does. The path is not normalized. */
  call(method: string, path: string, { body, headers = {}, from }: PageCall = {}): Promise<PageAnswer> {
    const isChange = method !== 'GET' && method !== 'HEAD';
    const sent = Object.entries({
      ...(isChange && { origin: this.origin, 'landlord-page': '1' }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(this.cookie && { cookie: this.cookie }),
      ...headers,
    }).filter(([, value]) => value !== undefined);
    const send = this.ca === null ? plainRequest : secureRequest;
    return new Promise((resolve, reject) => {
      const [host = '', port] = this.host.split(':');
      const call = send({
        ...{ host, port, path, method, agent: false, headers: Object.fromEntries(sent) as OutgoingHttpHeaders },
        ...(from !== undefined && { localAddress: from }),
        ...(this.ca !== null && { ca: this.ca }),
      });
      call.once('error', reject);
      call.once('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = /json/.test(response.headers['content-type'] ?? '');
          const body = (isJson && text !== '' ? JSON.parse(text) : { items: [] }) as PageBody;
          resolve({ status: response.statusCode ?? 0, text, body, headers: response.headers });
        });
      });
      call.end(typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body));
    });
  }

  get(path: string): Promise<PageAnswer> {
    return this.call('GET', path);
  }

  async signIn(password = PASSWORD, call: PageCall = {}): Promise<PageAnswer> {
    const answer = await this.call('POST', '/ui/session', { body: { username: 'admin', password }, ...call });
    const [cookie = ''] = answer.headers['set-cookie'] ?? [];
    if (answer.status === 201) this.cookie = cookie.split(';')[0] ?? '';
    return answer;
  }

  /** Opens the WebSocket of the page. Rejects with the status of a refusal. */
  async connect(headers: Record<string, string> = {}, path = '/ui/socket'): Promise<PageConnection> {
    const own = { origin: this.origin, cookie: this.cookie, ...headers };
    const socket = new WebSocket(`${this.origin.replace('http', 'ws')}${path}`, {
      headers: own,
      ...(this.ca !== null && { ca: this.ca }),
    });
    const connection = new PageConnection(socket);
    this.sockets.push(connection);
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('unexpected-response', (_request, { statusCode }) => reject(new BrokerError(`status ${statusCode}`)));
      socket.once('error', reject);
    });
    return connection;
  }

  /** A connection that is ready to publish. */
  async ready(): Promise<PageConnection> {
    const connection = await this.connect();
    await until('the page is connected to the broker', () => connection.inbox.find(({ type }) => type === 'ready'));
    return connection;
  }

  leave(): void {
    for (const { socket } of this.sockets) socket.terminate();
  }
}

/** The WebSocket of a page, with all messages that it received. */
export class PageConnection {
  readonly inbox: SocketMessage[] = [];
  /** Code of the end. Null while the connection is open. */
  closed: number | null = null;
  private lastId = 0;

  constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => this.inbox.push(JSON.parse(data.toString()) as SocketMessage));
    socket.on('close', (code) => (this.closed = code));
    socket.on('error', () => undefined);
  }

  /** The answer to a request. */
  ask(request: object): Promise<SocketMessage> {
    const id = ++this.lastId;
    this.socket.send(JSON.stringify({ id, ...request }));
    return until(`an answer to ${JSON.stringify(request).slice(0, 80)}`, () =>
      this.inbox.find((message) => message.id === id && message.type !== 'message'),
    );
  }

  get messages(): SocketMessage[] {
    return this.inbox.filter(({ type }) => type === 'message');
  }

  end(): Promise<number> {
    return until('the connection is closed', () => this.closed);
  }
}
