const GIB = 1024 ** 3;
/** The size of a full volume, plus the overhead of packing. */
const ARCHIVE_CAPACITY = 1.1;

/** Returns the prefix of all stored objects of a deployment. They are deleted with the deployment. */
export const deploymentObjects = (deploymentId: number): string => `deployments/${deploymentId}/`;

/** Returns the prefix of a backup's archives. */
export const backupObjects = (deploymentId: number, backupId: number): string =>
  `${deploymentObjects(deploymentId)}backups/${backupId}/`;

/** Returns the key of a node's archive in a backup. */
export const backupArchive = (deploymentId: number, backupId: number, nodeId: number): string =>
  `${backupObjects(deploymentId, backupId)}${nodeId}.tar.gz`;

/** Returns the prefix of all objects of a diagnostic snapshot. */
export const snapshotObjects = (deploymentId: number, snapshotId: number): string =>
  `${deploymentObjects(deploymentId)}snapshots/${snapshotId}/`;

/** Returns the prefix of the uploads of nodes, which exist until the archive is built. */
export const snapshotParts = (deploymentId: number, snapshotId: number): string =>
  `${snapshotObjects(deploymentId, snapshotId)}parts/`;

/** Returns the keys of one node's uploads. */
export function snapshotPart(deploymentId: number, snapshotId: number, nodeId: number) {
  const part = `${snapshotParts(deploymentId, snapshotId)}${nodeId}`;
  return { diagnostics: `${part}.json.gz`, data: `${part}-data.zip` };
}

/** Returns the key of the archive for download. */
export const snapshotArchive = (deploymentId: number, snapshotId: number): string =>
  `${snapshotObjects(deploymentId, snapshotId)}snapshot.zip`;

/** Returns the maximum bytes of the archives of volumes with this size. */
export const archiveLimitBytes = (storageGib: number): number => Math.ceil(storageGib * GIB * ARCHIVE_CAPACITY);
