import type { BackupId, DeploymentId, DiagnosticSnapshotId, NodeId, OperationId } from '@libs/domain';

const GIB = 1024 ** 3;
/** The size of a full volume, plus the overhead of packing. */
const PACKING_FACTOR = 1.1;

/** Returns the prefix of all stored objects of a deployment. They are deleted with the deployment. */
export const deploymentObjects = (deploymentId: DeploymentId): string => `deployments/${deploymentId}/`;

/** Returns the prefix of a backup's archives. */
export const backupObjects = (deploymentId: DeploymentId, backupId: BackupId): string =>
  `${deploymentObjects(deploymentId)}backups/${backupId}/`;

/** Returns the key of a node's archive in a backup. */
export const backupArchive = (deploymentId: DeploymentId, backupId: BackupId, nodeId: NodeId): string =>
  `${backupObjects(deploymentId, backupId)}${nodeId}.tar.gz`;

/** Returns the prefix of the archives of a move to another machine. They exist until the node serves again. */
export const moveObjects = (deploymentId: DeploymentId, operationId: OperationId): string =>
  `${deploymentObjects(deploymentId)}moves/${operationId}/`;

/** Returns the prefix of all objects of a diagnostic snapshot. */
export const snapshotObjects = (deploymentId: DeploymentId, snapshotId: DiagnosticSnapshotId): string =>
  `${deploymentObjects(deploymentId)}snapshots/${snapshotId}/`;

/** Returns the prefix of the uploads of nodes, which exist until the archive is built. */
export const snapshotParts = (deploymentId: DeploymentId, snapshotId: DiagnosticSnapshotId): string =>
  `${snapshotObjects(deploymentId, snapshotId)}parts/`;

/** Returns the keys of one node's uploads. */
export function snapshotPart(deploymentId: DeploymentId, snapshotId: DiagnosticSnapshotId, nodeId: NodeId) {
  const part = `${snapshotParts(deploymentId, snapshotId)}${nodeId}`;
  return { diagnostics: `${part}.json.gz`, data: `${part}-data.zip` };
}

/** Returns the key of the archive for download. */
export const snapshotArchive = (deploymentId: DeploymentId, snapshotId: DiagnosticSnapshotId): string =>
  `${snapshotObjects(deploymentId, snapshotId)}snapshot.zip`;

/** Returns the maximum bytes of the archives of volumes with this size. */
export const archiveLimitBytes = (storageGib: number): number => Math.ceil(storageGib * GIB * PACKING_FACTOR);
