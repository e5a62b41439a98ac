import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { createWebSocketStream, WebSocket } from 'ws';
import { eventually } from '../basics/eventually.js';

/** The credentials of clients in the documents of tests. */
const USER = 'admin';
const PASSWORD = 'correct horse';

/** Texts that tell their place. */
export const numbered = (count: number, start = 0): string[] =>
  Array.from({ length: count }, (_, index) => `message ${start + index}`);

/** An answer to a frame: the status, and the payload. */
export interface FrameAnswer {
  status: number;
  payload: Buffer;
}

/** A port of a node. `endpoint`: host and port. */
export interface FramesTarget {
  endpoint: string;
  over: string;
  ca?: string | string[];
}

/** A client of the binary protocol that sends the bytes of its frames itself. */
export class IggyFrames {
  isClosed = false;
  readonly ended: Promise<void>;
  private received = Buffer.alloc(0);

  private constructor(private readonly socket: Duplex) {
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => (this.received = Buffer.concat([this.received, chunk])));
    this.ended = new Promise((resolve) => socket.once('close', resolve));
    void this.ended.then(() => (this.isClosed = true));
  }

  /** Over TCP or WebSocket. With `ca` over TLS, and only to a server that one of these authorities confirms. */
  static async to({ endpoint, over, ca }: FramesTarget): Promise<IggyFrames> {
    const [host = '', port = ''] = endpoint.split(':');
    if (over === 'websocket') {
      const socket = new WebSocket(`${ca === undefined ? 'ws' : 'wss'}://${endpoint}/`, { ca });
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
      return new IggyFrames(createWebSocketStream(socket));
    }
    const place = { host, port: Number(port) };
    const socket = ca === undefined ? connect(place) : connectTls({ ...place, ca });
    const opened = ca === undefined ? 'connect' : 'secureConnect';
    await new Promise((resolve, reject) => socket.once(opened, resolve).once('error', reject));
    return new IggyFrames(socket.setNoDelay());
  }

  static async open(port: number): Promise<IggyFrames> {
    const socket = connect(port, '127.0.0.1').setNoDelay();
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return new IggyFrames(socket);
  }

  static async overWebSocket(port: number): Promise<IggyFrames> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return new IggyFrames(createWebSocketStream(socket));
  }

  /** Sends bytes that are no frame. */
  write(bytes: Buffer): void {
    this.socket.write(bytes);
  }

  async signInByToken(token: string): Promise<FrameAnswer> {
    return this.ask(44, Buffer.concat([Buffer.from([token.length]), Buffer.from(token)]));
  }

  async signIn(password = PASSWORD, username = USER): Promise<FrameAnswer> {
    const text = (value: string) => Buffer.concat([Buffer.from([Buffer.byteLength(value)]), Buffer.from(value)]);
    return this.ask(38, Buffer.concat([text(username), text(password), Buffer.alloc(8)]));
  }

  async ask(code: number, payload: Buffer = Buffer.alloc(0)): Promise<FrameAnswer> {
    const header = Buffer.alloc(8);
    header.writeUInt32LE(payload.length + 4, 0);
    header.writeUInt32LE(code, 4);
    this.socket.write(Buffer.concat([header, payload]));
    return eventually(`the answer to ${code}`, () => {
      if (this.isClosed) throw new TypeError('the connection is closed');
      return this.takeAnswer();
    });
  }

  async closed(): Promise<void> {
    await eventually('the connection is closed', () => this.isClosed);
  }

  close(): void {
    this.socket.destroy();
  }

  private takeAnswer(): FrameAnswer | null {
    if (this.received.length < 8) return null;
    const end = 8 + this.received.readUInt32LE(4);
    if (this.received.length < end) return null;
    const answer = { status: this.received.readUInt32LE(0), payload: this.received.subarray(8, end) };
    this.received = this.received.subarray(end);
    return answer;
  }
}

/** An answer of the HTTP interface. `body`: the parsed JSON, or null. */
export interface HttpAnswer<T> {
  status: number;
  text: string;
  body: T;
}

/** A client of the HTTP interface. */
export class IggyHttp {
  private constructor(
    private readonly base: string,
    readonly token: string | null,
  ) {}

  static anonymous(port: number | null): IggyHttp {
    return new IggyHttp(`http://127.0.0.1:${port}`, null);
  }

  static async signIn(port: number | null, password = PASSWORD, username = USER): Promise<IggyHttp> {
    const client = IggyHttp.anonymous(port);
    const credentials = { username, password };
    const { status, body } = await client.call<{ access_token: { token: string } }>(
      'POST',
      '/users/login',
      credentials,
    );
    if (status !== 200) throw new TypeError(`the sign-in was refused with ${status}`);
    return client.withToken(body.access_token.token);
  }

  withToken(token: string): IggyHttp {
    return new IggyHttp(this.base, token);
  }

  async call<T>(method: string, path: string, body?: unknown): Promise<HttpAnswer<T>> {
    const headers = {
      connection: 'close',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(this.token !== null && { authorization: `Bearer ${this.token}` }),
    };
    const payload = body === undefined ? null : JSON.stringify(body);
    const answer = await fetch(`${this.base}${path}`, { method, headers, body: payload });
    const text = await answer.text();
    const parsed: unknown = /^[[{]/.test(text) ? JSON.parse(text) : null;
    return { status: answer.status, text, body: parsed as T };
  }

  /** Creates a stream with one topic of one partition, both with this name. */
  async createTopic(name: string): Promise<void> {
    const topic = { name, partitions_count: 1, compression_algorithm: 'none', message_expiry: 0, max_topic_size: 0 };
    for (const [path, body] of [
      ['/streams', { name }],
      [`/streams/${name}/topics`, topic],
    ] as const) {
      const { status, text } = await this.call('POST', path, body);
      if (status >= 300) throw new TypeError(`${path}: ${status} ${text}`);
    }
  }

  /** Sends texts in one batch. Resolves when the server has acknowledged them. */
  async send(name: string, texts: string[]): Promise<number> {
    const messages = texts.map((text) => ({ id: 0, payload: Buffer.from(text).toString('base64') }));
    const partitioning = { kind: 'partition_id', value: Buffer.from([0, 0, 0, 0]).toString('base64') };
    return (await this.call('POST', `/streams/${name}/topics/${name}/messages`, { partitioning, messages })).status;
  }

  /** All texts of the partition, up to `count`. */
  async poll(name: string, count = 1_000): Promise<string[]> {
    const query = `consumer_id=1&partition_id=0&kind=offset&value=0&count=${count}&auto_commit=false`;
    const path = `/streams/${name}/topics/${name}/messages?${query}`;
    const { status, text, body } = await this.call<{ messages: { payload: string }[] }>('GET', path);
    if (status !== 200) throw new TypeError(`${status} ${text}`);
    return body.messages.map(({ payload }) => Buffer.from(payload, 'base64').toString());
  }
}
