import type { ConfigId, ConnectorInstanceId, NodeId } from '../ids.js';

/** The runtimes of nodes that an activity can change (C-17.3). */
export const NODE_RUNTIMES = ['broker', 'connectors'] as const;
export type NodeRuntime = (typeof NODE_RUNTIMES)[number];

export const ACTIVITY_VERBS = ['start', 'stop', 'restart', 'reconfigure'] as const;
export type ActivityVerb = (typeof ACTIVITY_VERBS)[number];

export const TASK_TYPES = ['broker:reconfigure', 'connectors:reconfigure'] as const;
export type TaskType = (typeof TASK_TYPES)[number];

/** The input of a connectors operation (`activate`: an instance is new). */
export interface ConnectorsMemo {
  action: ActivityVerb | 'activate';
  /** For `reconfigure`: the configuration that its instance runs by. Null: the active configuration of every instance. */
  config_id: ConfigId | null;
  /** The instance whose result decides the operation; null for all instances. */
  instance_id: ConnectorInstanceId | null;
  nodes: NodeId[];
  /** How many requests have joined the operation: before its end, it applies the active configuration of every instance. */
  joins?: number;
}

/** The input of an activity's operation, with its nodes in the order of work. */
export interface ActivityMemo {
  runtime: NodeRuntime;
  action: ActivityVerb;
  /** Only for `reconfigure`. */
  config_id: ConfigId | null;
  nodes: NodeId[];
}
