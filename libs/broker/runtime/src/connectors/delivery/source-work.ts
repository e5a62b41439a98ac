import type { NodeConnector } from '@libs/domain';
import { BrokerSession } from './broker-session.js';
import { ConnectorFault } from './connector-fault.js';
import { MESSAGE_ID } from './connector-message.js';
import { topicsOf, type ConnectorTopic } from '../connector-topics.js';
import { sessionId, type ConnectorContext, type ConnectorProgress, type ConnectorWork } from '../connector-work.js';
import { readInstanceRecord, writeInstanceRecord } from '../instance-record.js';
import { eitherEnd, pause } from './pause.js';
import type { SourcePlugin } from '../plugins/plugin.js';
import { sourceOf } from '../plugins/plugins.js';
import { transformsOf } from '../plugins/transforms.js';

/**
 * Moves the messages of a plugin to the broker. Each message has a number and can be generated again identically. The number of
 * the first message without acknowledgement is durable. So a crash can repeat messages, with the same ids, but lose none.
 */
export class SourceWork implements ConnectorWork {
  private readonly topic: ConnectorTopic;
  private readonly transform: (payload: Buffer) => Buffer;
  private plugin: SourcePlugin | null = null;
  private next = 0;

  /** @throws ConnectorFault */
  constructor(
    private readonly connector: NodeConnector,
    private readonly context: ConnectorContext,
    private readonly progress: ConnectorProgress,
  ) {
    const [topic, ...more] = topicsOf(connector.config.values);
    if (topic === undefined || more.length > 0) throw new ConnectorFault('a source has exactly one topic');
    this.topic = topic;
    this.transform = transformsOf(connector.config.values.transforms);
  }

  async prepare(): Promise<void> {
    const { allowPrivate, log } = this.context;
    this.plugin = await sourceOf(this.connector, { allowPrivate, log, idPrefix: this.idPrefix });
    this.next = (await readInstanceRecord(this.context.access.home, this.connector.instance_id))?.next ?? 0;
    await this.save();
  }

  async work(signal: AbortSignal): Promise<void> {
    const { plugin } = this;
    if (plugin === null) return;
    const id = sessionId(this.context.deploymentId, this.connector.instance_id);
    const session = await BrokerSession.open(this.context.access, id, true, async () => undefined);
    try {
      this.progress.running();
      while (!signal.aborted && session.isAlive) {
        const due = plugin.due(this.next);
        if (due === 0) return await eitherEnd(signal, session.over);
        await this.publish(session, plugin, due);
        await pause(plugin.intervalMs, signal);
      }
    } finally {
      await session.end();
    }
  }

  async close(): Promise<void> {}

  /** Publishes in portions, so that neither memory nor the number of repeated messages becomes large. */
  private async publish(session: BrokerSession, plugin: SourcePlugin, due: number): Promise<void> {
    for (let left = due; left > 0;) {
      const count = Math.min(left, this.topic.batchLength);
      const numbers = Array.from({ length: count }, (_, index) => this.next + index);
      await Promise.all(numbers.map((number) => session.publish(this.topic.name, this.payload(plugin, number))));
      this.next += count;
      await this.save();
      left -= count;
    }
  }

  private payload(plugin: SourcePlugin, number: number): Buffer {
    const id = `${this.idPrefix}${number}`;
    const made = plugin.make(number, id);
    if (this.topic.schema !== 'json') return Buffer.from(`${id} ${String(made['text'])}`);
    const fields = JSON.parse(this.transform(Buffer.from(JSON.stringify(made))).toString('utf8')) as object;
    // Added after the transforms, so that no transform can remove the id.
    return Buffer.from(JSON.stringify({ ...fields, [MESSAGE_ID]: id }));
  }

  private get idPrefix(): string {
    return `${this.context.deploymentId}-${this.connector.instance_id}-`;
  }

  private async save(): Promise<void> {
    const record = { type: 'source' as const, next: this.next, topics: [] };
    await writeInstanceRecord(this.context.access.home, this.connector.instance_id, record);
    this.progress.moved(this.next);
  }
}
