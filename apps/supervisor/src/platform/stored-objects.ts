/** Everything stored of a deployment lies below this; it goes with the deployment. */
export const deploymentObjects = (deploymentId: number): string => `deployments/${deploymentId}/`;

/** Where everything of a diagnostic snapshot lies. */
export const snapshotObjects = (deploymentId: number, snapshotId: number): string =>
  `${deploymentObjects(deploymentId)}snapshots/${snapshotId}/`;

/** What nodes upload, until the archive is made of it. */
export const snapshotParts = (deploymentId: number, snapshotId: number): string =>
  `${snapshotObjects(deploymentId, snapshotId)}parts/`;

/** The archive that is downloaded. */
export const snapshotArchive = (deploymentId: number, snapshotId: number): string =>
  `${snapshotObjects(deploymentId, snapshotId)}snapshot.zip`;
