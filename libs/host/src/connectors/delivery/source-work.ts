import type { NodeConnector } from '@libs/domain';
import { reasonOf } from '../../os/json-log.js';
import { ConnectorFault } from './connector-fault.js';
import { MESSAGE_ID } from './connector-message.js';
import { streamsOf, type ConnectorTopic } from '../connector-topics.js';
import { sessionId, type ConnectorContext, type ConnectorProgress, type ConnectorWork } from '../connector-work.js';
import { readInstanceRecord, writeInstanceRecord } from '../instance-record.js';
import { eitherEnd, pause } from './pause.js';
import type { SourceBatch, SourceMessage, SourcePlugin, SourcePosition } from '../plugins/plugin.js';
import { sourceOf } from '../plugins/plugins.js';
import { RetryPace } from './retry-pace.js';
import { openSession } from './open-session.js';
import type { Session } from './session.js';
import { transformsOf } from '../plugins/transforms.js';

/**
 * Moves the messages of a plugin to the broker. A read from the same position returns equal messages with equal ids. The
 * position is durable after the broker has acknowledged. So a crash can repeat messages, with the same ids, but lose none.
 */
export class SourceWork implements ConnectorWork {
  readonly lag = 0;
  private readonly topic: ConnectorTopic;
  private readonly transform: (payload: Buffer) => Buffer;
  private plugin: SourcePlugin | null = null;
  private position: SourcePosition = { count: 0, cursor: null };

  /** @throws ConnectorFault */
  constructor(
    private readonly connector: NodeConnector,
    private readonly context: ConnectorContext,
    private readonly progress: ConnectorProgress,
  ) {
    const [topic, ...more] = streamsOf(connector.config.values, 'source').flat();
    if (topic === undefined || more.length > 0) throw new ConnectorFault('a source has exactly one topic');
    this.topic = topic;
    this.transform = transformsOf(connector.config.values.transforms);
  }

  async prepare(): Promise<void> {
    const { allowPrivate, log, deploymentId, access } = this.context;
    const idPrefix = `${deploymentId}-${this.connector.instance_id}-`;
    this.plugin = await sourceOf(this.connector, { allowPrivate, log, idPrefix });
    const record = await readInstanceRecord(access.home, this.connector.instance_id);
    this.position = { count: record?.next ?? 0, cursor: record?.cursor ?? null };
    await this.save();
  }

  async work(signal: AbortSignal): Promise<void> {
    const { plugin } = this;
    if (plugin === null) return;
    const id = sessionId(this.context.deploymentId, this.connector.instance_id);
    const session = await openSession(this.context.access, id, true, async () => undefined);
    const pace = new RetryPace();
    try {
      while (!signal.aborted && session.isAlive) {
        const outcome = await this.move(plugin, session);
        if (outcome === 'over') return await eitherEnd(signal, session.over);
        if (outcome === 'failed') await pause(pace.nextMs(), signal);
        else pace.reset();
        if (outcome === 'empty') await pause(plugin.intervalMs, signal);
      }
    } finally {
      await session.end();
    }
  }

  async close(): Promise<void> {
    await this.plugin?.close();
  }

  /** Moves one batch. `empty`: no more messages are waiting. `over`: there will be no more. */
  private async move(plugin: SourcePlugin, session: Session): Promise<'more' | 'empty' | 'over' | 'failed'> {
    const batch = await this.asked(() => plugin.read(this.position, this.topic.batchLength));
    if (batch === 'failed') return 'failed';
    if (batch === null) return 'over';
    await this.publish(session, batch);
    if ((await this.asked(() => plugin.settle(batch))) === 'failed') return 'failed';
    return batch.hasMore ? 'more' : 'empty';
  }

  /** A fault ends the work. Any other failure of the service may pass. */
  private async asked<T>(ask: () => Promise<T>): Promise<T | 'failed'> {
    try {
      const answer = await ask();
      this.progress.running();
      return answer;
    } catch (error) {
      if (error instanceof ConnectorFault) throw error;
      this.progress.failed(reasonOf(error));
      return 'failed';
    }
  }

  private async publish(session: Session, { messages, cursor }: SourceBatch): Promise<void> {
    await Promise.all(messages.map((message) => session.publish(this.topic.name, this.payload(message))));
    this.position = { count: this.position.count + messages.length, cursor };
    if (messages.length > 0) await this.save();
  }

  private payload({ id, value, bytes }: SourceMessage): Buffer {
    if (this.topic.schema !== 'json') return bytes;
    const content = this.transform(Buffer.from(JSON.stringify(value)));
    const fields = JSON.parse(content.toString('utf8')) as unknown;
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return content;
    // Added after the transforms, so that no transform can remove the id.
    return Buffer.from(JSON.stringify({ ...fields, [MESSAGE_ID]: id }));
  }

  private async save(): Promise<void> {
    const { count: next, cursor } = this.position;
    const record = { type: 'source' as const, next, cursor, topics: [] };
    await writeInstanceRecord(this.context.access.home, this.connector.instance_id, record);
    this.progress.moved({ messages: next, failed: 0 });
  }
}
