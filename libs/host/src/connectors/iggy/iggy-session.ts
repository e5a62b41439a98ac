import { BrokerError } from '../../control/broker-error.js';
import { IggyAdmin } from '../../brokers/iggy/server/iggy-admin.js';
import type { OnArrival, Session } from '../delivery/session.js';
import type { IggyWay } from './iggy-access.js';
import { absentAs, ensureTopic, topicPath } from './iggy-topics.js';
import { PartitionReader } from './partition-reader.js';

/** Largest body of the server is 2 MB by default. Payloads grow by a third as Base64. */
const MOST_BYTES = 1024 * 1024;
const MOST_MESSAGES = 1_000;
/** The server chooses the partition. */
const BALANCED = { kind: 'balanced', value: '' };

interface Waiting {
  payload: Buffer;
  done: () => void;
  failed: (error: unknown) => void;
}

/**
 * A session of a connector over the HTTP interface of iggy-server. Reads each partition by a consumer with the id of the session, and
 * stores its offset after the delivery, in order. So a crash repeats messages, and loses none. A new session of a sink begins with
 * the oldest message that the server has, like the sinks of iggy-connectors.
 */
export class IggySession implements Session {
  readonly over: Promise<void>;
  private readonly abort = new AbortController();
  private readonly readers: PartitionReader[] = [];
  private readonly reading: Promise<void>[] = [];
  private readonly ensured = new Map<string, Promise<number[]>>();
  private readonly waiting = new Map<string, Waiting[]>();
  private readonly sending = new Map<string, Promise<void>>();

  private constructor(
    private readonly admin: IggyAdmin,
    private readonly id: string,
    private readonly onArrival: OnArrival,
  ) {
    const { signal } = this.abort;
    this.over = new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  }

  /** Rejects with BrokerError when the server refuses the token. */
  static async open({ http, token }: IggyWay, id: string, onArrival: OnArrival): Promise<IggySession> {
    const admin = new IggyAdmin(http, { token });
    await admin.signIn();
    return new IggySession(admin, id, onArrival);
  }

  get isAlive(): boolean {
    return !this.abort.signal.aborted;
  }

  get backlog(): number {
    return this.readers.reduce((sum, reader) => sum + reader.waiting, 0);
  }

  /** Messages of one topic that come while another request runs share the next one, so they keep their order. */
  publish(topic: string, payload: Buffer): Promise<void> {
    if (!this.isAlive) return Promise.reject(new BrokerError('the connection to the broker has ended'));
    return new Promise((resolve, reject) => {
      this.waiting.set(topic, [...(this.waiting.get(topic) ?? []), { payload, done: resolve, failed: reject }]);
      const before = this.sending.get(topic) ?? Promise.resolve();
      this.sending.set(
        topic,
        before.then(() => this.sendWaiting(topic)),
      );
    });
  }

  async subscribe(topics: readonly string[]): Promise<void> {
    for (const topic of topics) for (const partition of await this.partitionsOf(topic)) this.read(topic, partition);
  }

  async unsubscribe(topics: readonly string[]): Promise<void> {
    for (const topic of topics) {
      const path = pathOf(topic);
      const partitions = await absentAs([], async () => {
        const { partitions } = await this.admin.ask<{ partitions: { id: number }[] }>('GET', path);
        return partitions.map(({ id }) => id);
      });
      for (const partition of partitions)
        await absentAs(null, () =>
          this.admin.ask('DELETE', `${path}/consumer-offsets/${this.id}?partition_id=${partition}`),
        );
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.sending.values());
    this.abort.abort();
    await Promise.all(this.reading);
  }

  private read(topic: string, partition: number): void {
    const place = { path: pathOf(topic), topic, partition, consumer: this.id };
    const reader = new PartitionReader(this.admin, place, this.onArrival);
    // The end of one reader ends the session: the next one begins where the stored offsets are.
    this.readers.push(reader);
    this.reading.push(reader.run(this.abort.signal).catch(() => this.abort.abort()));
  }

  private partitionsOf(topic: string): Promise<number[]> {
    const ensuredTopic = this.ensured.get(topic) ?? ensureTopic(this.admin, ...partsOf(topic));
    this.ensured.set(topic, ensuredTopic);
    ensuredTopic.catch(() => this.ensured.delete(topic));
    return ensuredTopic;
  }

  private async sendWaiting(topic: string): Promise<void> {
    const batch = takeBatch(this.waiting.get(topic) ?? []);
    if (batch.length === 0) return;
    try {
      await this.partitionsOf(topic);
      const messages = batch.map(({ payload }) => ({ id: 0, payload: payload.toString('base64') }));
      await this.admin.ask('POST', `${pathOf(topic)}/messages`, { partitioning: BALANCED, messages });
      for (const { done } of batch) done();
    } catch (error) {
      for (const { failed } of batch) failed(error);
    }
  }
}

/** Removes the messages of one request from the list. */
function takeBatch(waiting: Waiting[]): Waiting[] {
  let bytes = 0;
  const end = waiting.findIndex(({ payload }, index) => {
    bytes += payload.length;
    return index >= MOST_MESSAGES || (index > 0 && bytes > MOST_BYTES);
  });
  return waiting.splice(0, end < 0 ? waiting.length : end);
}

/** A name of a stream or topic has no slash. */
function partsOf(topic: string): [string, string] {
  const slash = topic.indexOf('/');
  return [topic.slice(0, slash), topic.slice(slash + 1)];
}

const pathOf = (topic: string): string => topicPath(...partsOf(topic));
