const GIB = 1024 ** 3;
/** An archive of a full volume, and what the packing adds. */
const ARCHIVE_CAPACITY = 1.1;

/** Everything stored of a deployment lies below this; it goes with the deployment. */
export const deploymentObjects = (deploymentId: number): string => `deployments/${deploymentId}/`;

/** Where the archives of a backup lie. */
export const backupObjects = (deploymentId: number, backupId: number): string =>
  `${deploymentObjects(deploymentId)}backups/${backupId}/`;

/** What a node uploads for a backup. */
export const backupArchive = (deploymentId: number, backupId: number, nodeId: number): string =>
  `${backupObjects(deploymentId, backupId)}${nodeId}.tar.gz`;

/** Where everything of a diagnostic snapshot lies. */
export const snapshotObjects = (deploymentId: number, snapshotId: number): string =>
  `${deploymentObjects(deploymentId)}snapshots/${snapshotId}/`;

/** What nodes upload, until the archive is made of it. */
export const snapshotParts = (deploymentId: number, snapshotId: number): string =>
  `${snapshotObjects(deploymentId, snapshotId)}parts/`;

/** What one node uploads for it. */
export function snapshotPart(deploymentId: number, snapshotId: number, nodeId: number) {
  const part = `${snapshotParts(deploymentId, snapshotId)}${nodeId}`;
  return { diagnostics: `${part}.json.gz`, data: `${part}-data.zip` };
}

/** The archive that is downloaded. */
export const snapshotArchive = (deploymentId: number, snapshotId: number): string =>
  `${snapshotObjects(deploymentId, snapshotId)}snapshot.zip`;

/** How many bytes archives of volumes of so many GiB may have. */
export const archiveLimitBytes = (storageGib: number): number => Math.ceil(storageGib * GIB * ARCHIVE_CAPACITY);
