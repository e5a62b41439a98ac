import { deploymentObjects } from '../platform/index.js';

/** Where the archives of a backup lie. */
export const backupObjects = (deploymentId: number, backupId: number): string =>
  `${deploymentObjects(deploymentId)}backups/${backupId}/`;

export const archiveKey = (deploymentId: number, backupId: number, nodeId: number): string =>
  `${backupObjects(deploymentId, backupId)}${nodeId}.tar.gz`;
