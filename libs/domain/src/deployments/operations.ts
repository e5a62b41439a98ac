/** Statuses of long work, as operations show them (C-14.1). */
export const OPERATION_STATUSES = ['pending', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type OperationStatus = (typeof OPERATION_STATUSES)[number];

export interface OperationSpec {
  readonly sentence: string;
  /**
   * A changing operation excludes every other changing operation on the same deployment. A non-changing operation
   * excludes only its own type, if an index of `operations` requires it.
   */
  readonly changing: boolean;
  /** Whether an operator may cancel the operation. The other types must finish; an operator can only help them. */
  readonly cancellable: boolean;
  /** The first step of the workflow. The step table is in the app that runs the workflow. */
  readonly firstStep: string;
  /** Number of steps of a run without failures, for the displayed progress. */
  readonly steps: number;
}

/** Every type of operation. */
export const OPERATIONS = {
  provision_deployment: {
    sentence: 'Create a deployment',
    changing: true,
    cancellable: true,
    firstStep: 'creating',
    steps: 13,
  },
  upgrade_deployment: {
    sentence: 'Give a deployment more, node by node',
    changing: true,
    cancellable: true,
    firstStep: 'checking_nodes',
    steps: 6,
  },
  rotate_credentials: {
    sentence: 'Give a deployment new client credentials, node by node',
    changing: true,
    cancellable: true,
    firstStep: 'checking_nodes',
    steps: 4,
  },
  rotate_certificates: {
    sentence: 'Give a deployment a new certificate for TLS',
    changing: true,
    cancellable: true,
    firstStep: 'checking_nodes',
    steps: 4,
  },
  run_activity: {
    sentence: 'Start, stop, restart or reconfigure nodes, one after the other',
    changing: true,
    cancellable: true,
    firstStep: 'changing_node',
    steps: 3,
  },
  take_backup: {
    sentence: 'Back up the data of nodes',
    changing: false,
    cancellable: true,
    firstStep: 'freezing_nodes',
    steps: 2,
  },
  restore_backup: {
    sentence: 'Put the data of a backup in the place of what the nodes hold',
    changing: true,
    cancellable: true,
    firstStep: 'verifying_backup',
    steps: 5,
  },
  move_node: {
    sentence: 'Move a node with the only copy of its data to another machine',
    changing: true,
    cancellable: false,
    firstStep: 'checking_capacity',
    steps: 9,
  },
  delete_backup: {
    sentence: 'Delete a backup and what is stored of it',
    changing: false,
    cancellable: false,
    firstStep: 'removing_objects',
    steps: 1,
  },
  run_connectors: {
    sentence: 'Start, stop, restart or reconfigure the connectors of a deployment',
    changing: false,
    cancellable: true,
    firstStep: 'applying_connectors',
    steps: 2,
  },
  take_snapshot: {
    sentence: 'Collect what tells about the health of a deployment',
    changing: false,
    cancellable: true,
    firstStep: 'collecting_nodes',
    steps: 4,
  },
  delete_snapshot: {
    sentence: 'Delete a diagnostic snapshot and what is stored of it',
    changing: false,
    cancellable: false,
    firstStep: 'removing_archive',
    steps: 1,
  },
  create_private_connection: {
    sentence: 'Make a private connection to a deployment: a peering, an endpoint service or a service attachment',
    changing: false,
    cancellable: true,
    firstStep: 'requesting',
    steps: 2,
  },
  delete_private_connection: {
    sentence: 'Delete a private connection to a deployment',
    changing: false,
    cancellable: false,
    firstStep: 'awaiting_quiet',
    steps: 2,
  },
  delete_deployment: {
    sentence: 'Delete a deployment and everything it holds',
    changing: true,
    cancellable: false,
    firstStep: 'awaiting_quiet',
    steps: 4,
  },
} as const satisfies Record<string, OperationSpec>;

export type OperationType = keyof typeof OPERATIONS;

/** The statuses in which an operation still has work to do. */
export const OPEN_STATUSES = ['pending', 'running'] as const satisfies readonly OperationStatus[];

/** Name of the queue that wakes up the workers of one cell (cloud × area). Each cell has one queue. */
export const operationsQueue = (cell: string): string => `operations.${cell}`;
