import type { LocalConnectionKind } from '@libs/cloud';

/** A backup that was promised whole, and what the deployment had kept until then. */
export interface KeptBackup {
  id: number;
  /** What was left before it on the topic that every restore is judged by; null: nothing. */
  later: string | null;
}

/** Clouds with a way in from private networks. */
export const PRIVATE_CLOUDS = ['aws', 'gcp'] as const;
export type PrivateCloud = (typeof PRIVATE_CLOUDS)[number];

/** A peering, endpoint service or attachment that was promised by a 2xx. */
export interface KeptConnection {
  id: number;
  kind: LocalConnectionKind;
  /** What its record says once the provider and the other side have done their parts, in the contract's words. */
  status: string;
}

/** A deployment that was promised by a 2xx, and what became of the promise. */
export interface Promised {
  id: number;
  name: string;
  isCluster: boolean;
  /** Where it is, of one whose terms include every way in from private networks; null: they do not. */
  privateCloud: PrivateCloud | null;
  /** Accepted for deletion. */
  isDeleted: boolean;
  /** Its broker acknowledged a message to keep. */
  hasMessage: boolean;
  /** GB per node, as the last accepted upgrade has it. */
  storage: number;
  /** Accepted ones. */
  upgrades: number;
  /** Accepted ones. */
  rotations: number;
  /** Told completed. */
  backups: KeptBackup[];
  /** The last message left before a backup or restore, as far as the deployment must hold it; null: none. */
  later: string | null;
  /** Ids of its instances of connectors, oldest first. */
  connectors: number[];
  privateConnections: KeptConnection[];
}

/** A promise of which nothing has been asked yet. */
export const freshPromise = (
  made: Pick<Promised, 'id' | 'name' | 'isCluster'> & Partial<Pick<Promised, 'privateCloud'>>,
): Promised => ({
  privateCloud: null,
  isDeleted: false,
  hasMessage: false,
  storage: 100,
  upgrades: 0,
  rotations: 0,
  backups: [],
  later: null,
  connectors: [],
  privateConnections: [],
  ...made,
});
