import type { BrokerDriver } from '@libs/domain';

/** Which backups of another deployment the nodes of a driver take. */
export interface ForeignBackups {
  /** Backups of clusters. The replicas of a nats cluster belong to the servers of their own cluster. */
  cluster: boolean;
  /** Backups that are encrypted again under the key of the new deployment. nats-server cannot change the key of its data. */
  resealed: boolean;
}

export const FOREIGN_BACKUPS: Record<BrokerDriver, ForeignBackups> = {
  iggy: { cluster: false, resealed: false },
  nats: { cluster: false, resealed: false },
  embedded: { cluster: true, resealed: true },
};

/** Releases of one line read the same data: `2.10.3` is of the line `2.10`. */
export const releaseLine = (release: string): string => release.split('.').slice(0, 2).join('.');
