import type { LocalConnectionKind } from '@libs/cloud';

/** A completed backup, and the message that the deployment had at that time. */
export interface KeptBackup {
  id: number;
  /** The message on the topic that each restore is checked with; null: none. */
  later: string | null;
  /** Numbers that the broker had acknowledged before the backup. */
  numbers: readonly number[];
}

/** Clouds with private connections. */
export const PRIVATE_CLOUDS = ['aws', 'gcp'] as const;
export type PrivateCloud = (typeof PRIVATE_CLOUDS)[number];

/** A peering, endpoint service or attachment with a 2xx answer. */
export interface KeptConnection {
  id: number;
  kind: LocalConnectionKind;
  /**
   * Expected status of its record after the actions of the provider and the other side, in the words of the contract.
   */
  status: string;
}

/** A deployment with a 2xx answer, and its expected state. */
export interface Promised {
  id: number;
  name: string;
  isCluster: boolean;
  /** Cloud of a deployment whose managed tier includes all private connections; null for other deployments. */
  privateCloud: PrivateCloud | null;
  /** The deletion was accepted. */
  isDeleted: boolean;
  /** Its broker has acknowledged a retained message. */
  hasMessage: boolean;
  /** The creation has succeeded. A creation from a backup may end with a full disk. */
  isInitialized: boolean;
  /** GB per node after the last accepted upgrade. */
  storage: number;
  /** Number of accepted upgrades. */
  upgrades: number;
  /** Number of accepted rotations. */
  rotations: number;
  /** Backups with the status `completed`. */
  backups: KeptBackup[];
  /** The last message before a backup or restore that the deployment must have; null: none. */
  later: string | null;
  /** Numbers that its broker has acknowledged, and that no restore has removed. */
  numbers: number[];
  nextNumber: number;
  /** Ids of its connector instances, oldest first. */
  connectors: number[];
  /** Number of activations so far. */
  activations: number;
  privateConnections: KeptConnection[];
}

/** The initial expectations for a deployment. */
export const freshPromise = (
  made: Pick<Promised, 'id' | 'name' | 'isCluster'> & Partial<Pick<Promised, 'privateCloud'>>,
): Promised => ({
  privateCloud: null,
  isDeleted: false,
  isInitialized: true,
  hasMessage: false,
  storage: 100,
  upgrades: 0,
  rotations: 0,
  backups: [],
  later: null,
  numbers: [],
  nextNumber: 0,
  connectors: [],
  activations: 0,
  privateConnections: [],
  ...made,
});
