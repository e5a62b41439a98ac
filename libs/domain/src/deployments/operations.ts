/** Long work, as operations show it (C-14.1). */
export const OPERATION_STATUSES = ['pending', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type OperationStatus = (typeof OPERATION_STATUSES)[number];

export interface OperationSpec {
  readonly sentence: string;
  /**
   * A changing operation excludes every other changing one on the same deployment. One that is not excludes its own kind
   * only, where an index of `operations` says so.
   */
  readonly changing: boolean;
  /** Whether an operator may end it; what must come to its end can only be helped along. */
  readonly cancellable: boolean;
  /** Where its workflow begins; the table itself lives with the app that runs it. */
  readonly firstStep: string;
  /** Steps of a run without trouble, for the progress that is shown. */
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

/** Name of the queue that rings the workers of one cell (cloud × area). One queue per cell. */
export const operationsQueue = (cell: string): string => `operations.${cell}`;
