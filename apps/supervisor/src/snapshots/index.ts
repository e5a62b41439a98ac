export type { CollectedNode } from './collected-node.js';
export { SnapshotBuilder } from './snapshot-builder.js';
export { SnapshotBuildingModule } from './snapshot-building.module.js';
export { SnapshotKeepingModule } from './snapshot-keeping.module.js';
export { SnapshotsModule } from './snapshots.module.js';
