import { connect } from 'node:net';
import { resolve } from 'node:path';
import type { Duplex } from 'node:stream';
import type { NodeSpec } from '@libs/domain';
import { IGGY_LIBRARIES, IGGY_SERVER } from '@libs/testing';
import { createWebSocketStream, WebSocket } from 'ws';
import { IggyRuntime } from '../src/iggy/iggy.runtime.js';
import { aNodeSpec, BrokerUnderTest, PASSWORD, until, type SpecChanges } from './embedded.fixture.js';

/** Specs run the real gate from the build, because a process needs compiled code. */
const GATE_ENTRY = resolve('dist/libs/broker/runtime/src/iggy/iggy-gate.main.js');
const USERNAME = 'admin';

export const IGGY_PROGRAM = { path: IGGY_SERVER ?? '', libraries: IGGY_LIBRARIES ?? undefined };

/** A node's desired state with driver iggy, on free ports. */
export async function anIggySpec(changes: SpecChanges = {}): Promise<NodeSpec> {
  const spec = await aNodeSpec(changes);
  const listen = { ...spec.listen, peer: null };
  return { ...spec, listen, broker: { ...spec.broker, driver: 'iggy', version: '0.8.0' } };
}

/** A node with a real iggy-server behind a real gate. Both are not started yet. */
export async function anIggyNode(changes: SpecChanges = {}): Promise<BrokerUnderTest> {
  const runtime = new IggyRuntime({ server: IGGY_PROGRAM, allowsUnproven: false }, GATE_ENTRY);
  return BrokerUnderTest.of(await anIggySpec(changes), runtime);
}

/** Texts that tell their place. */
export const numbered = (count: number, start = 0): string[] =>
  Array.from({ length: count }, (_, index) => `message ${start + index}`);

/** An answer to a frame: the status, and the payload. */
export interface FrameAnswer {
  status: number;
  payload: Buffer;
}

/** A client of the binary protocol that sends the bytes of its frames itself. */
export class FrameClient {
  private received = Buffer.alloc(0);
  private isClosed = false;

  private constructor(private readonly socket: Duplex) {
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => (this.received = Buffer.concat([this.received, chunk])));
    socket.once('close', () => (this.isClosed = true));
  }

  static async open(port: number): Promise<FrameClient> {
    const socket = connect(port, '127.0.0.1').setNoDelay();
    await new Promise((done, failed) => socket.once('connect', done).once('error', failed));
    return new FrameClient(socket);
  }

  static async overWebSocket(port: number): Promise<FrameClient> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
    await new Promise((done, failed) => socket.once('open', done).once('error', failed));
    return new FrameClient(createWebSocketStream(socket));
  }

  /** Sends bytes that are no frame. */
  write(bytes: Buffer): void {
    this.socket.write(bytes);
  }

  async signInByToken(token: string): Promise<FrameAnswer> {
    return this.ask(44, Buffer.concat([Buffer.from([token.length]), Buffer.from(token)]));
  }

  async signIn(password = PASSWORD, username = USERNAME): Promise<FrameAnswer> {
    const text = (value: string) => Buffer.concat([Buffer.from([Buffer.byteLength(value)]), Buffer.from(value)]);
    return this.ask(38, Buffer.concat([text(username), text(password), Buffer.alloc(8)]));
  }

  async ask(code: number, payload: Buffer = Buffer.alloc(0)): Promise<FrameAnswer> {
    const header = Buffer.alloc(8);
    header.writeUInt32LE(payload.length + 4, 0);
    header.writeUInt32LE(code, 4);
    this.socket.write(Buffer.concat([header, payload]));
    return until(`the answer to ${code}`, () => {
      if (this.isClosed) throw new TypeError('the connection is closed');
      return this.takeAnswer();
    });
  }

  async closed(): Promise<void> {
    await until('the connection is closed', () => this.isClosed);
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
export class HttpClient {
  private constructor(
    private readonly base: string,
    readonly token: string | null,
  ) {}

  static anonymous(port: number | null): HttpClient {
    return new HttpClient(`http://127.0.0.1:${port}`, null);
  }

  static async signIn(port: number | null, password = PASSWORD, username = USERNAME): Promise<HttpClient> {
    const client = HttpClient.anonymous(port);
    const credentials = { username, password };
    const { status, body } = await client.call<{ access_token: { token: string } }>(
      'POST',
      '/users/login',
      credentials,
    );
    if (status !== 200) throw new TypeError(`the sign-in was refused with ${status}`);
    return client.withToken(body.access_token.token);
  }

  withToken(token: string): HttpClient {
    return new HttpClient(this.base, token);
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
