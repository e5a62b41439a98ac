export type { CollectedNode } from './collected-node.js';
export { SnapshotBuilder } from './snapshot-builder.js';
export { SnapshotBuildingModule, SnapshotKeepingModule, SnapshotsModule } from './snapshots.module.js';
