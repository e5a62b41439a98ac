import { Module } from '@nestjs/common';
import { SnapshotCleanupReconciler } from './snapshot-cleanup-reconciler.js';

/** Automatic work on snapshots. For worker processes. */
@Module({
  providers: [SnapshotCleanupReconciler],
})
export class SnapshotCleanupModule {}
