import { Module } from '@nestjs/common';
import { SnapshotCleanupReconciler } from './snapshot-cleanup-reconciler.js';

/** What is done with snapshots by itself, for the processes that work. */
@Module({ providers: [SnapshotCleanupReconciler] })
export class SnapshotCleanupModule {}
