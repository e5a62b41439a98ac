import type { NodeConnector, ConnectorInstanceId, DeploymentId } from '@libs/domain';
import type { JsonLog } from '../os/json-log.js';
import type { DeadLetters } from './delivery/dead-letters.js';
import type { BrokerAccess } from './delivery/session.js';

/** The dependencies of an instance. */
export interface ConnectorContext {
  access: BrokerAccess;
  deploymentId: DeploymentId;
  allowPrivate: boolean;
  /** Refused messages of all sinks of the node. */
  letters: DeadLetters;
  log: JsonLog;
}

/** What an instance has moved since its activation. */
export interface MovedCounts {
  messages: number;
  /** Messages that the destination refused for good. */
  failed: number;
}

/** Reports of an instance while it works. */
export interface ConnectorProgress {
  /** The instance is ready and moves messages. */
  running(): void;
  /** The instance cannot continue for now, and will retry. */
  failed(reason: string): void;
  moved(counts: MovedCounts): void;
  /** A problem that does not stop the instance. */
  noted(problem: string | null): void;
}

/** One source or sink. */
export interface ConnectorWork {
  /**
   * Reads its record and creates the necessary resources. Throws ConnectorFault when a retry is useless before the
   * configuration changes.
   */
  prepare(): Promise<void>;
  /**
   * Works over one connection to the broker until it ends or the signal aborts. After a rejection the caller starts it again.
   */
  work(signal: AbortSignal): Promise<void>;
  /** Messages that are received and not delivered. */
  readonly lag: number;
  /** Delivers these dead letters again, as soon as possible. Absent: a source has none. */
  replay?(letters: readonly number[]): void;
  /** The last call. */
  close(): Promise<void>;
}

/** The id of the instance's session at the broker. It is the same on every node of the deployment. */
export function sessionId(deploymentId: DeploymentId, instanceId: ConnectorInstanceId): string {
  return `landlord-connector-${deploymentId}-${instanceId}`;
}

/** Identifies an instance in log lines. */
export function logFields({ instance_id, key, type, plugin }: NodeConnector) {
  return { connector: key, instance: instance_id, plugin: `${type}:${plugin}` };
}
