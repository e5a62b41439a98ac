/** Connectors move messages between the broker and what lies around it (C-18.1). */
export const CONNECTOR_TYPES = ['source', 'sink'] as const;
export type ConnectorType = (typeof CONNECTOR_TYPES)[number];

/** A stream of the broker as a connector reads or writes it (C-18.6). A source has one topic. */
export interface ConnectorStream {
  stream: string;
  topics: string[];
  /** How payloads are spelled: json, text, raw. */
  schema: string;
  batch_length?: number;
  /** Of sinks, as a duration: `5ms`. */
  poll_interval?: string;
  /** Of sources, as a duration. */
  linger_time?: string;
  consumer_group?: string;
}

/** Values of a connector's configuration. */
export interface ConnectorValues {
  enabled: boolean;
  streams: ConnectorStream[];
  /** By the schema of the plugin, secrets included: for 0600 files only. */
  plugin_config: Record<string, unknown>;
  transforms: Record<string, unknown>;
}

/** Statuses of an instance (C-18.7; moves: C-18.8). */
export const CONNECTOR_INSTANCE_STATUSES = ['pending', 'active', 'inactive', 'failed'] as const;
export type ConnectorInstanceStatus = (typeof CONNECTOR_INSTANCE_STATUSES)[number];

/** One activated connector as a node runs it. */
export interface NodeConnector {
  instance_id: number;
  /** Instance key, unique within the deployment: lower-case letters, digits and `_`. */
  key: string;
  name: string;
  type: ConnectorType;
  /** Key in the catalogue of connectors. */
  plugin: string;
  /** SemVer of the plugin. */
  plugin_version: string;
  config: { id: number; version: number; values: ConnectorValues };
}

/** The connectors of a node, in its document. */
export interface NodeConnectors {
  want: 'running' | 'stopped';
  /** Raised to ask for one restart without any other change. */
  restart: number;
  /** Those that are this node's to run, in the order of their ids. */
  instances: NodeConnector[];
}

export const CONNECTOR_REPORT_STATUSES = ['starting', 'running', 'stopped', 'failed'] as const;

/** One connector as the node sees it. `stopped`: its configuration is disabled, or connectors shall not run. */
export interface ConnectorReport {
  instance_id: number;
  status: (typeof CONNECTOR_REPORT_STATUSES)[number];
  /** Version of the configuration that it runs by. */
  config_id: number;
  /** For people; null when nothing is wrong. */
  error: string | null;
  /** Moved since the connector was activated. */
  messages: number;
}
