import type { JsonLog } from '../../os/json-log.js';
import type { ConnectorMessage } from '../delivery/connector-message.js';

/** The context of a plugin, in addition to its options. */
export interface PluginContext {
  /** Its lines identify the instance. */
  log: JsonLog;
  /** Every connection of a plugin is opened by the guarded clients of `@libs/outbound` with this policy. */
  allowPrivate: boolean;
  /** The prefix of all message ids of the instance. */
  idPrefix: string;
}

/** A message that the destination refuses for good, and the reason in one line without secrets. */
export interface RefusedMessage {
  message: ConnectorMessage;
  reason: string;
}

/** Where a plugin reports the end of messages. Each call must be awaited before the next messages. */
export interface Outcome {
  /** The destination has these messages. */
  taken(messages: readonly ConnectorMessage[]): Promise<void>;
  /** The destination will never take these messages, but takes others. They become dead letters. */
  refused(messages: readonly RefusedMessage[]): Promise<void>;
}

export interface SinkPlugin {
  /** Called before the first message. Rejects when the destination is unusable. */
  open(): Promise<void>;
  /**
   * Delivers messages to the destination, in order. Rejects when the destination does not work: it is away, or refuses
   * everything. Messages that were passed to the outcome are not delivered again. Stops between two requests when the signal
   * aborts.
   */
  deliver(messages: readonly ConnectorMessage[], outcome: Outcome, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** A message that a source has read. */
export interface SourceMessage {
  /** Unique within the instance. The same message has the same id each time it is read. */
  id: string;
  /** For the format json: an object gets the id as a member. */
  value: unknown;
  /** For the other formats. */
  bytes: Buffer;
}

export interface SourceBatch {
  messages: readonly SourceMessage[];
  /** Where the next read continues. Durable when the broker has all messages. */
  cursor: unknown;
  /** More messages are waiting: the next read follows without a pause. */
  hasMore: boolean;
}

/** Where a source continues. */
export interface SourcePosition {
  /** Number of messages that the broker has. */
  count: number;
  /** Null before the first batch. */
  cursor: unknown;
}

export interface SourcePlugin {
  readonly intervalMs: number;
  /**
   * Reads at most `most` messages. Null when there will be no more. Rejects when the service does not work. A read from the
   * same position returns equal messages first.
   */
  read(position: SourcePosition, most: number): Promise<SourceBatch | null>;
  /** The broker has the batch, and its cursor is durable. */
  settle(batch: SourceBatch): Promise<void>;
  close(): Promise<void>;
}
