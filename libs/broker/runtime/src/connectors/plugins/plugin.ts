import type { JsonLog } from '../../json-log.js';
import type { ConnectorMessage } from '../delivery/connector-message.js';

/** The context of a plugin, in addition to its options. */
export interface PluginContext {
  /** Its lines identify the instance. */
  log: JsonLog;
  allowPrivate: boolean;
  /** The prefix of all message ids of the instance. */
  idPrefix: string;
}

/** Reports that the messages were delivered, or can never be delivered. Must be awaited before the next messages. */
export type Taken = (messages: readonly ConnectorMessage[]) => Promise<void>;

export interface SinkPlugin {
  /** Called before the first message. Rejects when the destination is unusable. */
  open(): Promise<void>;
  /**
   * Delivers messages to the destination, in order. Rejects when one is not accepted. Messages that were passed to `taken` are
   * not delivered again. Stops between two requests when the signal aborts.
   */
  deliver(messages: readonly ConnectorMessage[], taken: Taken, signal: AbortSignal): Promise<void>;
  /** Number of and reason for undeliverable messages. Null when there were none. */
  readonly leftOut: string | null;
  close(): Promise<void>;
}

export interface SourcePlugin {
  readonly intervalMs: number;
  /**
   * The number of messages that are due now. `next` is the number of the next message. Returns 0 when there will be no more.
   */
  due(next: number): number;
  /** The message with this number, from 0. Equal for each call, so that a repetition is recognizable. */
  make(number: number, id: string): Record<string, unknown>;
}
