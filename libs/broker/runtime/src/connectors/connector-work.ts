import type { NodeConnector } from '@libs/domain';
import type { JsonLog } from '../json-log.js';
import type { BrokerAccess } from './delivery/broker-session.js';

/** What an instance works with. */
export interface ConnectorContext {
  access: BrokerAccess;
  deploymentId: number;
  allowPrivate: boolean;
  log: JsonLog;
}

/** What an instance tells while it works. */
export interface ConnectorProgress {
  /** Everything is in place: messages move. */
  running(): void;
  /** It cannot go on for now, and will try again. */
  failed(reason: string): void;
  moved(messages: number): void;
  /** What is wrong without keeping it from working; null when nothing is. */
  noted(note: string | null): void;
}

/** One source or sink. */
export interface ConnectorWork {
  /** Reads its record and makes what it needs. Throws ConnectorFault when that is of no use before the configuration changes. */
  prepare(): Promise<void>;
  /** Works over one connection to the broker until that ends or the signal aborts. Rejects to be begun again. */
  work(signal: AbortSignal): Promise<void>;
  /** After the last of it. */
  close(): Promise<void>;
}

/** The session of an instance at the broker: one for the deployment, whichever node runs it. */
export function sessionId(deploymentId: number, instanceId: number): string {
  return `landlord-connector-${deploymentId}-${instanceId}`;
}

/** Names an instance in lines of the log. */
export function logFields({ instance_id, key, type, plugin }: NodeConnector) {
  return { connector: key, instance: instance_id, plugin: `${type}:${plugin}` };
}
