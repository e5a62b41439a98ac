import type { JsonLog } from '../../json-log.js';
import type { ConnectorMessage } from '../delivery/connector-message.js';

/** What a plugin gets besides its options. */
export interface PluginContext {
  /** Names the instance in lines of the log. */
  log: JsonLog;
  allowPrivate: boolean;
  /** Begins every id of the instance's messages. */
  idPrefix: string;
}

/** Says that these messages are at their destination, or can never be taken there. Must be awaited before going on. */
export type Taken = (messages: readonly ConnectorMessage[]) => Promise<void>;

export interface SinkPlugin {
  /** Before the first message; rejects when the destination cannot be used. */
  open(): Promise<void>;
  /**
   * Takes messages to the destination, in order. Rejects when one is not taken; those told to `taken` are not given again.
   * Between two requests it stops when the signal aborts.
   */
  deliver(messages: readonly ConnectorMessage[], taken: Taken, signal: AbortSignal): Promise<void>;
  /** What can never be taken, counted and explained; null when there was none. */
  readonly leftOut: string | null;
  close(): Promise<void>;
}

export interface SourcePlugin {
  readonly intervalMs: number;
  /**
   * How many messages are due, when `next` is the number of the first one that was not made yet. 0: there will be none any
   * more.
   */
  due(next: number): number;
  /** The message of a number, from 0: the same whenever it is asked for, so that a repeat is one. */
  make(number: number, id: string): Record<string, unknown>;
}
