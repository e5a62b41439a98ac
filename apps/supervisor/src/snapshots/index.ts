export type { CollectedNode } from './collected-node.js';
export { SnapshotBuilder } from './snapshot-builder.js';
export { SnapshotBuildingModule } from './snapshot-building.module.js';
export { SnapshotCleanupModule } from './snapshot-cleanup.module.js';
export { SnapshotsModule } from './snapshots.module.js';
