import type { NodeConnector } from '@libs/domain';
import { reasonOf } from '../../os/json-log.js';
import type { ConnectorMessage } from './connector-message.js';
import { streamsOf, type ConnectorTopic } from '../connector-topics.js';
import { sessionId, type ConnectorContext, type ConnectorProgress, type ConnectorWork } from '../connector-work.js';
import { deadLetterTopic, publishedLetter } from './dead-letter-topic.js';
import { DeliveryRecord } from './delivery-record.js';
import { readInstanceRecord, writeInstanceRecord } from '../instance-record.js';
import { LetterSession } from './letter-session.js';
import { Mutex } from '../../os/mutex.js';
import { eitherEnd, pause } from './pause.js';
import type { RefusedMessage, SinkPlugin } from '../plugins/plugin.js';
import { sinkOf } from '../plugins/plugins.js';
import { Replays } from './replays.js';
import { RetryPace } from './retry-pace.js';
import { openSession } from './open-session.js';
import type { Arrival, Session } from './session.js';
import { StreamBatcher } from './stream-batcher.js';
import { transformsOf } from '../plugins/transforms.js';

interface Connections {
  session: Session;
  letters: LetterSession;
}

/**
 * Moves messages from the broker to a plugin: the destination accepts the message, then it is recorded, then acknowledged to
 * the broker. After a crash the message comes again. Recorded messages are recognized, so only a message that was accepted and
 * not recorded is delivered twice, with the same id. A message that the destination refuses for good becomes a dead letter, and
 * the sink continues. While the connector is disabled the broker stores its messages.
 */
export class SinkWork implements ConnectorWork {
  private readonly streams: readonly (readonly ConnectorTopic[])[];
  private readonly topics: ReadonlyMap<string, ConnectorTopic>;
  private readonly transform: (payload: Buffer) => Buffer;
  private readonly deliveries = new Mutex();
  /** Attempted deliveries of messages that are not delivered, by key. */
  private readonly attempts = new Map<string, number>();
  private lanes: StreamBatcher[] = [];
  /** The messages that the destination has now and has not accepted, by key. */
  private underWay: ReadonlyMap<string, readonly Arrival[]> = new Map();
  private session: Session | null = null;
  private plugin: SinkPlugin | null = null;
  private record: DeliveryRecord | null = null;
  private replays: Replays | null = null;

  /** @throws ConnectorFault */
  constructor(
    private readonly connector: NodeConnector,
    private readonly context: ConnectorContext,
    private readonly progress: ConnectorProgress,
  ) {
    this.streams = streamsOf(connector.config.values, 'sink');
    this.topics = new Map(this.streams.flat().map((topic) => [topic.name, topic]));
    this.transform = transformsOf(connector.config.values.transforms);
  }

  get lag(): number {
    const underWay = [...this.underWay.values()].reduce((sum, arrivals) => sum + arrivals.length, 0);
    return this.session?.backlog ?? this.lanes.reduce((sum, lane) => sum + lane.waiting, underWay);
  }

  async prepare(): Promise<void> {
    const { allowPrivate, log, deploymentId, letters, access } = this.context;
    const { instance_id: instanceId } = this.connector;
    const plugin = await sinkOf(this.connector, { allowPrivate, log, idPrefix: `${deploymentId}-${instanceId}-` });
    const record = await DeliveryRecord.open(access.home, instanceId);
    [this.plugin, this.record] = [plugin, record];
    this.replays = new Replays({
      ...{ instanceId, letters, record, plugin, inTurn: (work) => this.deliveries.run(work) },
      onChange: () => this.report(record),
      onFailure: (error) => this.progress.failed(reasonOf(error)),
    });
    this.report(record);
  }

  async work(signal: AbortSignal): Promise<void> {
    const { plugin, record, replays } = this;
    if (plugin === null || record === null || replays === null) return;
    const lanes = this.streams.map(([stream]) => new StreamBatcher(stream ?? { batchLength: 1, pollMs: 0 }));
    const id = sessionId(this.context.deploymentId, this.connector.instance_id);
    this.lanes = lanes;
    const session = await openSession(this.context.access, id, false, (arrival) => this.admit(lanes, arrival));
    this.session = session;
    const over = new AbortController();
    void eitherEnd(signal, session.over).then(() => over.abort());
    over.signal.addEventListener('abort', () => [...lanes, replays].forEach((one) => one.close()));
    const letters = new LetterSession(this.context.access, `${id}-letters`);
    // The deliveries must never wait for the subscription: waiting messages of the session come before the broker's answer.
    const subscribed = this.subscribe(session);
    const opened = this.opened(plugin, over.signal);
    const ready = Promise.all([subscribed, opened]).then(() => !over.signal.aborted && this.progress.running());
    const drained = opened.then(() => {
      const drains = lanes.map((lane) => this.drain(lane, { session, letters }, over.signal));
      return Promise.all([...drains, replays.run(over.signal)]);
    });
    try {
      await Promise.all([ready, drained]);
    } finally {
      over.abort();
      await drained.catch(() => undefined);
      this.lanes = [];
      this.session = null;
      await Promise.all([session.end(), letters.end()]);
    }
  }

  async close(): Promise<void> {
    await this.plugin?.close();
    await this.record?.close();
  }

  replay(letters: readonly number[]): void {
    this.replays?.request(letters);
  }

  /** Messages of a topic that the connector no longer reads go to any lane, which acknowledges them. */
  private async admit(lanes: readonly StreamBatcher[], arrival: Arrival): Promise<void> {
    const index = this.streams.findIndex((stream) => stream.some(({ name }) => name === arrival.topic));
    await lanes[Math.max(index, 0)]?.add(arrival);
  }

  private async drain(lane: StreamBatcher, connections: Connections, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && connections.session.isAlive) {
      await lane.gather(signal);
      await this.insist(lane.batch, connections, signal);
    }
  }

  /** Records the topics before the session subscribes, so that a crash leaves no unknown subscription. */
  private async subscribe(session: Session): Promise<void> {
    const { home } = this.context.access;
    const { instance_id: instanceId } = this.connector;
    const topics = [...this.topics.keys()];
    const before = (await readInstanceRecord(home, instanceId))?.topics ?? [];
    const all = [...new Set([...before, ...topics])];
    await writeInstanceRecord(home, instanceId, { type: 'sink', next: 0, topics: all });
    await session.subscribe(topics);
    await session.unsubscribe(all.filter((topic) => !topics.includes(topic)));
    await writeInstanceRecord(home, instanceId, { type: 'sink', next: 0, topics });
  }

  /** Resolves when the destination is open, or the signal aborts. */
  private async opened(plugin: SinkPlugin, signal: AbortSignal): Promise<void> {
    const pace = new RetryPace();
    while (!signal.aborted) {
      try {
        return await plugin.open();
      } catch (error) {
        this.progress.failed(reasonOf(error));
        await pause(pace.nextMs(), signal);
      }
    }
  }

  /**
   * Retries until the whole batch is delivered or the session ends. Later messages must not overtake the batch. A new session
   * gets the batch again.
   */
  private async insist(batch: Arrival[], connections: Connections, signal: AbortSignal): Promise<void> {
    const pace = new RetryPace();
    while (!signal.aborted && connections.session.isAlive) {
      try {
        return await this.deliveries.run(() => this.deliver(batch, connections.letters, signal));
      } catch (error) {
        this.progress.failed(reasonOf(error));
        await pause(pace.nextMs(), signal);
      }
    }
  }

  /** Removes finished messages from the batch. */
  private async deliver(batch: Arrival[], letters: LetterSession, signal: AbortSignal): Promise<void> {
    const { plugin, record } = this;
    if (plugin === null || record === null) return;
    const byKey = new Map<string, Arrival[]>();
    for (const arrival of batch.splice(0)) {
      const isRepeat = arrival.isComparable && record.has(arrival.key);
      if (isRepeat || !this.topics.has(arrival.topic)) arrival.acknowledge();
      else byKey.set(arrival.key, [...(byKey.get(arrival.key) ?? []), arrival]);
    }
    for (const key of byKey.keys()) this.attempts.set(key, (this.attempts.get(key) ?? 0) + 1);
    const messages = [...byKey.values()].flatMap(([first]) => (first ? [this.message(first)] : []));
    const outcome = {
      taken: async (messages: readonly ConnectorMessage[]): Promise<void> => {
        await record.add(messages.map(({ id }) => id));
        this.end(messages, byKey, record);
      },
      refused: async (refused: readonly RefusedMessage[]): Promise<void> => {
        await this.refuse(refused, letters);
        await record.addRefused(refused.map(({ message: { id } }) => id));
        this.end(
          refused.map(({ message }) => message),
          byKey,
          record,
        );
      },
    };
    this.underWay = byKey;
    try {
      await plugin.deliver(messages, outcome, signal);
    } finally {
      this.underWay = new Map();
      batch.push(...[...byKey.values()].flat());
    }
  }

  /** Stores the dead letters before the broker forgets the messages. */
  private async refuse(refused: readonly RefusedMessage[], connection: LetterSession): Promise<void> {
    const { context, connector } = this;
    const letters = refused.map(({ message, reason }) => {
      return { message, error: reason, attempts: this.attempts.get(message.id) ?? 1 };
    });
    await context.letters.add(connector.instance_id, letters);
    const { dead_letter_topic: topic } = connector.config.values;
    if (topic) for (const letter of letters) await connection.publish(deadLetterTopic(topic), publishedLetter(letter));
    for (const { message, error } of letters)
      context.log.error('message refused', { id: message.id, stream: message.stream, topic: message.topic, error });
    this.progress.noted(letters.at(-1)?.error ?? null);
  }

  private end(messages: readonly ConnectorMessage[], byKey: Map<string, Arrival[]>, record: DeliveryRecord): void {
    this.progress.running();
    for (const { id } of messages) {
      for (const arrival of byKey.get(id) ?? []) arrival.acknowledge();
      byKey.delete(id);
      this.attempts.delete(id);
    }
    this.report(record);
  }

  private report({ count: messages, refusedCount: failed }: DeliveryRecord): void {
    this.progress.moved({ messages, failed });
  }

  private message({ key, topic, payload, takenAtUs }: Arrival): ConnectorMessage {
    const topicState = this.topics.get(topic);
    const { stream = '', topic: name = '', schema = 'raw' } = topicState ?? {};
    const takenAtMs = Math.floor(takenAtUs / 1_000);
    return { id: key, stream, topic: name, schema, payload: this.transform(payload), takenAtMs, takenAtUs };
  }
}
