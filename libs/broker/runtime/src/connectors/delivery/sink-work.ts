import type { NodeConnector } from '@libs/domain';
import { reasonOf } from '../../json-log.js';
import { Arrivals } from './arrivals.js';
import { BrokerSession, type Arrival } from './broker-session.js';
import type { ConnectorMessage } from './connector-message.js';
import { topicsOf, type ConnectorTopic } from '../connector-topics.js';
import { sessionId, type ConnectorContext, type ConnectorProgress, type ConnectorWork } from '../connector-work.js';
import { DeliveryRecord } from './delivery-record.js';
import { readInstanceRecord, writeInstanceRecord } from '../instance-record.js';
import { eitherEnd, pause } from './pause.js';
import type { SinkPlugin } from '../plugins/plugin.js';
import { sinkOf } from '../plugins/plugins.js';
import { RetryPace } from './retry-pace.js';
import { transformsOf } from '../plugins/transforms.js';

/** Maximum number of waiting messages, in batches. The broker keeps the rest. */
const BATCHES_WAITING = 2;

/**
 * Moves messages from the broker to a plugin: the destination accepts the message, then it is recorded, then acknowledged to
 * the broker. After a crash the message comes again. Recorded messages are recognized, so only a message that was accepted and
 * not recorded is delivered twice, with the same id. While the connector is disabled the broker stores its messages.
 */
export class SinkWork implements ConnectorWork {
  private readonly topics: ReadonlyMap<string, ConnectorTopic>;
  private readonly batchLength: number;
  private readonly pollMs: number;
  private readonly transform: (payload: Buffer) => Buffer;
  private plugin: SinkPlugin | null = null;
  private record: DeliveryRecord | null = null;

  /** @throws ConnectorFault */
  constructor(
    private readonly connector: NodeConnector,
    private readonly context: ConnectorContext,
    private readonly progress: ConnectorProgress,
  ) {
    const topics = topicsOf(connector.config.values);
    this.topics = new Map(topics.map((topic) => [topic.name, topic]));
    this.batchLength = Math.min(...topics.map((topic) => topic.batchLength));
    this.pollMs = Math.min(...topics.map((topic) => topic.pollMs));
    this.transform = transformsOf(connector.config.values.transforms);
  }

  async prepare(): Promise<void> {
    const { allowPrivate, log, deploymentId } = this.context;
    const idPrefix = `${deploymentId}-${this.connector.instance_id}-`;
    this.plugin = await sinkOf(this.connector, { allowPrivate, log, idPrefix });
    this.record = await DeliveryRecord.open(this.context.access.home, this.connector.instance_id);
    this.progress.moved(this.record.count);
  }

  async work(signal: AbortSignal): Promise<void> {
    const { plugin, record } = this;
    if (plugin === null || record === null) return;
    if (!(await this.opened(plugin))) return;
    const arrivals = new Arrivals(this.batchLength * BATCHES_WAITING);
    const id = sessionId(this.context.deploymentId, this.connector.instance_id);
    const session = await BrokerSession.open(this.context.access, id, false, (arrival) => arrivals.add(arrival));
    try {
      await this.subscribe(session);
      this.progress.running();
      void eitherEnd(signal, session.over).then(() => arrivals.close());
      while (!signal.aborted && session.isAlive)
        await this.insist(await this.gather(arrivals, signal), session, signal);
    } finally {
      await session.end();
    }
  }

  async close(): Promise<void> {
    await this.plugin?.close();
    await this.record?.close();
  }

  /** Records the topics before the session subscribes, so that a crash leaves no unknown subscription. */
  private async subscribe(session: BrokerSession): Promise<void> {
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

  private async gather(arrivals: Arrivals, signal: AbortSignal): Promise<Arrival[]> {
    await arrivals.some();
    // A short wait collects single messages into batches.
    if (this.pollMs > 0) await pause(this.pollMs, signal);
    return arrivals.take(this.batchLength);
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
  private async insist(batch: Arrival[], session: BrokerSession, signal: AbortSignal): Promise<void> {
    const pace = new RetryPace();
    while (!signal.aborted && session.isAlive) {
      try {
        await this.deliver(batch, signal);
        return this.progress.noted(this.plugin?.leftOut ?? null);
      } catch (error) {
        this.progress.failed(reasonOf(error));
        await pause(pace.nextMs(), signal);
      }
    }
  }

  /** Removes finished messages from the batch. */
  private async deliver(batch: Arrival[], signal: AbortSignal): Promise<void> {
    const { plugin, record } = this;
    if (plugin === null || record === null) return;
    const byKey = new Map<string, Arrival[]>();
    for (const arrival of batch.splice(0)) {
      const isRepeat = arrival.isComparable && record.has(arrival.key);
      if (isRepeat || !this.topics.has(arrival.topic)) arrival.acknowledge();
      else byKey.set(arrival.key, [...(byKey.get(arrival.key) ?? []), arrival]);
    }
    const messages = [...byKey.values()].flatMap(([first]) => (first ? [this.message(first)] : []));
    try {
      await plugin.deliver(messages, (taken) => this.take(taken, byKey, record), signal);
    } finally {
      batch.push(...[...byKey.values()].flat());
    }
  }

  private async take(
    taken: readonly ConnectorMessage[],
    byKey: Map<string, Arrival[]>,
    record: DeliveryRecord,
  ): Promise<void> {
    await record.add(taken.map(({ id }) => id));
    this.progress.running();
    for (const { id } of taken) {
      for (const arrival of byKey.get(id) ?? []) arrival.acknowledge();
      byKey.delete(id);
    }
    this.progress.moved(record.count);
  }

  private message({ key, topic, payload }: Arrival): ConnectorMessage {
    const known = this.topics.get(topic);
    const { stream = '', topic: name = '', schema = 'raw' } = known ?? {};
    return { id: key, stream, topic: name, schema, payload: this.transform(payload), takenAtMs: Date.now() };
  }
}
