import { IggyFrames, IggyHttp } from '../iggy/iggy-clients.js';
import {
  IGGY_CODES,
  messagesPayload,
  pollPayload,
  polledTexts,
  streamPayload,
  topicPayload,
} from '../iggy/iggy-payloads.js';
import { SignInRefused, type BrokerClient, type ClientTarget } from './broker-client.js';

const MOST_TEXTS = 100_000;

/** Streams and topics of Iggy have no levels. */
const nameOf = (topic: string): string => topic.replaceAll('/', '-');

/** Clients of the binary protocol over TCP and WebSocket. */
export class IggyFrameClient implements BrokerClient {
  readonly cut: Promise<void>;

  private constructor(private readonly frames: IggyFrames) {
    this.cut = frames.ended;
  }

  static async open(target: ClientTarget): Promise<IggyFrameClient> {
    const { login } = target;
    const frames = await IggyFrames.to(target);
    const { status } = await frames.signIn(login.password, login.username);
    if (status === 0) return new IggyFrameClient(frames);
    frames.close();
    throw new SignInRefused(`status ${status}`);
  }

  get isCut(): boolean {
    return this.frames.isClosed;
  }

  async write(topic: string, ...texts: string[]): Promise<void> {
    const name = nameOf(topic);
    // Both fail when they exist. A missing topic shows when the texts are sent.
    await this.frames.ask(IGGY_CODES.createStream, streamPayload(name));
    await this.frames.ask(IGGY_CODES.createTopic, topicPayload(name));
    const { status } = await this.frames.ask(IGGY_CODES.send, messagesPayload(name, texts));
    if (status !== 0) throw new TypeError(`the broker refused the texts with ${status}`);
  }

  send(stream: string, text: string): Promise<void> {
    return this.write(stream, text);
  }

  async readAll(topic: string): Promise<string[]> {
    const { status, payload } = await this.frames.ask(IGGY_CODES.poll, pollPayload(nameOf(topic), MOST_TEXTS));
    if (status !== 0) throw new TypeError(`the broker refused the poll with ${status}`);
    return polledTexts(payload);
  }

  async close(): Promise<void> {
    this.frames.close();
  }
}

/** Clients of the HTTP interface, without TLS. */
export class IggyHttpClient implements BrokerClient {
  readonly isCut = false;
  readonly cut = new Promise<void>(() => undefined);

  private constructor(private readonly http: IggyHttp) {}

  static async open({ endpoint, login: { username, password }, ca }: ClientTarget): Promise<IggyHttpClient> {
    if (ca !== undefined) throw new TypeError('this client has no TLS');
    const anonymous = IggyHttp.anonymous(Number(endpoint.split(':')[1]));
    const answer = await anonymous.call<Token>('POST', '/users/login', { username, password });
    if (answer.status !== 200)
      throw REFUSED.has(answer.status) ? new SignInRefused(answer.text) : new TypeError(answer.text);
    return new IggyHttpClient(anonymous.withToken(answer.body.access_token.token));
  }

  async write(topic: string, ...texts: string[]): Promise<void> {
    const name = nameOf(topic);
    let status = await this.http.send(name, texts);
    if (status === MISSING) {
      await this.http.createTopic(name);
      status = await this.http.send(name, texts);
    }
    if (status >= 300) throw new TypeError(`the broker refused the texts with ${status}`);
  }

  send(stream: string, text: string): Promise<void> {
    return this.write(stream, text);
  }

  async readAll(topic: string): Promise<string[]> {
    return this.http.poll(nameOf(topic), MOST_TEXTS);
  }

  async close(): Promise<void> {
    // Every request has a connection of its own.
  }
}

interface Token {
  access_token: { token: string };
}

/** The server refuses wrong credentials with 400 or 401. */
const REFUSED = new Set([400, 401]);
const MISSING = 404;
