import type { ConfigId, ConnectorInstanceId } from '../ids.js';

/** Connectors move messages between the broker and external systems (C-18.1). */
export const CONNECTOR_TYPES = ['source', 'sink'] as const;
export type ConnectorType = (typeof CONNECTOR_TYPES)[number];

/** A stream of the broker as a connector reads or writes it (C-18.6). A source has one topic. */
export interface ConnectorStream {
  stream: string;
  topics: string[];
  /** Format of payloads: json, text, raw. Default: json. */
  schema?: string;
  batch_length?: number;
  /** Only for sinks. A duration: `5ms`. */
  poll_interval?: string;
  /** Only for sources. A duration. */
  linger_time?: string;
  consumer_group?: string;
}

/** Values of a connector's configuration. */
export interface ConnectorValues {
  enabled: boolean;
  streams: ConnectorStream[];
  /** Follows the schema of the plugin and includes secrets: only for files with mode 0600. */
  plugin_config: Record<string, unknown>;
  transforms: Record<string, unknown>;
  /** Only for sinks: refused messages are also published to this topic of the stream `dead_letters`. */
  dead_letter_topic?: string;
}

/** Statuses of an instance (C-18.7; transitions: C-18.8). */
export const CONNECTOR_INSTANCE_STATUSES = ['pending', 'active', 'inactive', 'failed'] as const;
export type ConnectorInstanceStatus = (typeof CONNECTOR_INSTANCE_STATUSES)[number];

/** One activated connector as a node runs it. */
export interface NodeConnector {
  instance_id: ConnectorInstanceId;
  /** Instance key, unique within the deployment: lower-case letters, digits and `_`. */
  key: string;
  name: string;
  type: ConnectorType;
  /** Key in the catalogue of connectors. */
  plugin: string;
  /** SemVer of the plugin. */
  plugin_version: string;
  config: { id: ConfigId; version: number; values: ConnectorValues };
}

/** The connectors of a node, in its document. */
export interface NodeConnectors {
  want: 'running' | 'stopped';
  /** An increase requests one restart without another change. */
  restart: number;
  /** The instances that this node runs, in the order of their ids. */
  instances: NodeConnector[];
}

export const CONNECTOR_REPORT_STATUSES = ['starting', 'running', 'stopped', 'failed'] as const;

/** One connector as the node observes it. `stopped`: its configuration is disabled, or the connectors should not run. */
export interface ConnectorReport {
  instance_id: ConnectorInstanceId;
  status: (typeof CONNECTOR_REPORT_STATUSES)[number];
  /** Id of the configuration that the connector runs by. */
  config_id: ConfigId;
  /** Message for people; null when there is no error. */
  error: string | null;
  /** Messages moved since the activation of the connector. */
  messages: number;
  /** Absent on nodes of an earlier release. */
  failed?: ConnectorCounts['failed'];
  lag?: ConnectorCounts['lag'];
  last_error?: ConnectorCounts['last_error'];
  dead_letters?: ConnectorCounts['dead_letters'];
  dead_letters_dropped?: ConnectorCounts['dead_letters_dropped'];
}

/** Counters of one connector. They are no change of its status. */
export interface ConnectorCounts {
  instance_id: ConnectorInstanceId;
  /** Messages moved since the activation. */
  moved: number;
  /** Messages that the destination refused for good, since the activation. */
  failed: number;
  /** Messages that the node has received and not delivered yet. */
  lag: number;
  /** Refused messages that the node keeps, and those that its limits have dropped. */
  dead_letters: number;
  dead_letters_dropped: number;
  /** The last error, also after the connector works again. Null: there was none since the start of the process. */
  last_error: string | null;
}

/** A message that a destination refused for good, as the node keeps it. */
export interface DeadLetterReport {
  /** Unique on the node. */
  id: number;
  message_id: string;
  /** `<stream>/<topic>`. */
  topic: string;
  error: string;
  /** Deliveries that were attempted. */
  attempts: number;
  /** ISO 8601. */
  failed_at: string;
  /** Base64. */
  payload: string;
  payload_bytes: number;
  /** The payload is longer than this page shows. */
  is_truncated: boolean;
}

/** Refused messages of one instance, oldest first. */
export interface DeadLetterPage {
  items: DeadLetterReport[];
  total: number;
  dropped: number;
}

/** Work on the dead letters of an instance. `ids` null: all letters. */
export type DeadLetterRequest = { instance_id: ConnectorInstanceId } & (
  { action: 'list'; page: number; results: number } | { action: 'replay' | 'delete'; ids: number[] | null }
);

/** The letters of a page, or the number of letters that are replayed or deleted. */
export interface DeadLetterAnswer {
  page?: DeadLetterPage;
  count?: number;
}
