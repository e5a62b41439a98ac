import type { NodeConnector } from '@libs/domain';
import { reasonOf } from '../../json-log.js';
import type { ConnectorMessage } from './connector-message.js';
import { streamsOf, type ConnectorTopic } from '../connector-topics.js';
import { sessionId, type ConnectorContext, type ConnectorProgress, type ConnectorWork } from '../connector-work.js';
import { deadLetterTopic, publishedLetter } from './dead-letter-topic.js';
import { DeliveryRecord } from './delivery-record.js';
import { readInstanceRecord, writeInstanceRecord } from '../instance-record.js';
import { Mutex } from './mutex.js';
import { eitherEnd, pause } from './pause.js';
import type { RefusedMessage, SinkPlugin } from '../plugins/plugin.js';
import { sinkOf } from '../plugins/plugins.js';
import { Replays } from './replays.js';
import { RetryPace } from './retry-pace.js';
import { openSession } from './open-session.js';
import type { Arrival, Session } from './session.js';
import { StreamLane } from './stream-lane.js';
import { transformsOf } from '../plugins/transforms.js';

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
  private lanes: StreamLane[] = [];
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
    return this.lanes.reduce((sum, lane) => sum + lane.waiting, 0);
  }

  async prepare(): Promise<void> {
    const { allowPrivate, log, deploymentId, letters, access } = this.context;
    const { instance_id: instanceId } = this.connector;
    const plugin = await sinkOf(this.connector, { allowPrivate, log, idPrefix: `${deploymentId}-${instanceId}-` });
    const record = await DeliveryRecord.open(access.home, instanceId);
    [this.plugin, this.record] = [plugin, record];
    this.replays = new Replays({
      ...{ instanceId, letters, record, plugin, inTurn: (work) => this.deliveries.take(work) },
      onChange: () => this.report(record),
      onFailure: (error) => this.progress.failed(reasonOf(error)),
    });
    this.report(record);
  }

  async work(signal: AbortSignal): Promise<void> {
    const { plugin, record, replays } = this;
    if (plugin === null || record === null || replays === null) return;
    const lanes = this.streams.map(([stream]) => new StreamLane(stream ?? { batchLength: 1, pollMs: 0 }));
    const id = sessionId(this.context.deploymentId, this.connector.instance_id);
    const session = await openSession(this.context.access, id, false, (arrival) => this.admit(lanes, arrival));
    this.lanes = lanes;
    const over = new AbortController();
    void eitherEnd(signal, session.over).then(() => over.abort());
    try {
      // Subscribed first: the broker keeps messages for a destination that is away from the start.
      await this.subscribe(session);
      if (!(await this.opened(plugin))) return;
      this.progress.running();
      over.signal.addEventListener('abort', () => [...lanes, replays].forEach((one) => one.close()));
      await Promise.all([...lanes.map((lane) => this.drain(lane, session, over.signal)), replays.run(over.signal)]);
    } finally {
      this.lanes = [];
      await session.end();
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
  private async admit(lanes: readonly StreamLane[], arrival: Arrival): Promise<void> {
    const index = this.streams.findIndex((stream) => stream.some(({ name }) => name === arrival.topic));
    await lanes[Math.max(index, 0)]?.add(arrival);
  }

  private async drain(lane: StreamLane, session: Session, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && session.isAlive) {
      await lane.gather(signal);
      await this.insist(lane.batch, session, signal);
    }
  }

  /** Records the topics before the session subscribes, so that a crash leaves no unknown subscription. */
  private async subscribe(session: Session): Promise<void> {
    const { home } = this.context.access;
    const { instance_id: instanceId } = this.connector;
    const wanted = [...this.topics.keys()];
    const before = (await readInstanceRecord(home, instanceId))?.topics ?? [];
    const all = [...new Set([...before, ...wanted])];
    await writeInstanceRecord(home, instanceId, { type: 'sink', next: 0, topics: all });
    await session.subscribe(wanted);
    await session.unsubscribe(all.filter((topic) => !wanted.includes(topic)));
    await writeInstanceRecord(home, instanceId, { type: 'sink', next: 0, topics: wanted });
  }

  private async opened(plugin: SinkPlugin): Promise<boolean> {
    try {
      await plugin.open();
      return true;
    } catch (error) {
      this.progress.failed(reasonOf(error));
      return false;
    }
  }

  /**
   * Retries until the whole batch is delivered or the session ends. Later messages must not overtake the batch. A new session
   * gets the batch again.
   */
  private async insist(batch: Arrival[], session: Session, signal: AbortSignal): Promise<void> {
    const pace = new RetryPace();
    while (!signal.aborted && session.isAlive) {
      try {
        return await this.deliveries.take(() => this.deliver(batch, session, signal));
      } catch (error) {
        this.progress.failed(reasonOf(error));
        await pause(pace.nextMs(), signal);
      }
    }
  }

  /** Removes finished messages from the batch. */
  private async deliver(batch: Arrival[], session: Session, signal: AbortSignal): Promise<void> {
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
      taken: async (taken: readonly ConnectorMessage[]): Promise<void> => {
        await record.add(taken.map(({ id }) => id));
        this.end(taken, byKey, record);
      },
      refused: async (refused: readonly RefusedMessage[]): Promise<void> => {
        await this.refuse(refused, session);
        await record.addRefused(refused.map(({ message: { id } }) => id));
        this.end(
          refused.map(({ message }) => message),
          byKey,
          record,
        );
      },
    };
    try {
      await plugin.deliver(messages, outcome, signal);
    } finally {
      batch.push(...[...byKey.values()].flat());
    }
  }

  /** Stores the dead letters before the broker forgets the messages. */
  private async refuse(refused: readonly RefusedMessage[], session: Session): Promise<void> {
    const { context, connector } = this;
    const letters = refused.map(({ message, reason }) => {
      return { message, error: reason, attempts: this.attempts.get(message.id) ?? 1 };
    });
    await context.letters.add(connector.instance_id, letters);
    const { dead_letter_topic: topic } = connector.config.values;
    if (topic) for (const letter of letters) await session.publish(deadLetterTopic(topic), publishedLetter(letter));
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
    const known = this.topics.get(topic);
    const { stream = '', topic: name = '', schema = 'raw' } = known ?? {};
    const takenAtMs = Math.floor(takenAtUs / 1_000);
    return { id: key, stream, topic: name, schema, payload: this.transform(payload), takenAtMs, takenAtUs };
  }
}
