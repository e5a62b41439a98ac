/** Everything stored of a deployment lies below this; it goes with the deployment. */
export const deploymentObjects = (deploymentId: number): string => `deployments/${deploymentId}/`;

/** Where the archives of a backup lie. */
export const backupObjects = (deploymentId: number, backupId: number): string =>
  `${deploymentObjects(deploymentId)}backups/${backupId}/`;

export const archiveKey = (deploymentId: number, backupId: number, nodeId: number): string =>
  `${backupObjects(deploymentId, backupId)}${nodeId}.tar.gz`;
