/** What can be done to the runtimes of nodes (C-17.3). */
export const NODE_RUNTIMES = ['broker', 'connectors'] as const;
export type NodeRuntime = (typeof NODE_RUNTIMES)[number];

export const ACTIVITY_VERBS = ['start', 'stop', 'restart', 'reconfigure'] as const;
export type ActivityVerb = (typeof ACTIVITY_VERBS)[number];

export const TASK_TYPES = ['broker:reconfigure', 'connectors:reconfigure'] as const;
export type TaskType = (typeof TASK_TYPES)[number];

/** What an operation of connectors works by (`activate`: an instance is new). */
export interface ConnectorsMemo {
  action: ActivityVerb | 'activate';
  /** Of `reconfigure`: what its instance is to run by; null for the active configuration of every instance. */
  config_id: number | null;
  /** Whose fate decides; null for all. */
  instance_id: number | null;
  nodes: number[];
}

/** What an activity's operation works by: its nodes in the order of their turns. */
export interface ActivityMemo {
  runtime: NodeRuntime;
  action: ActivityVerb;
  /** Only of `reconfigure`. */
  config_id: number | null;
  nodes: number[];
}
