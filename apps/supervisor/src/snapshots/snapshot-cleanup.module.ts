import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import { DiagnosticSnapshotsRepository, RuntimesRepository } from '@libs/persistence/runtime';
import { SnapshotCleanupReconciler } from './snapshot-cleanup-reconciler.js';

/** Automatic work on snapshots. For worker processes. */
@Module({
  imports: [PersistenceModule.forFeature([DiagnosticSnapshotsRepository, RuntimesRepository])],
  providers: [SnapshotCleanupReconciler],
})
export class SnapshotCleanupModule {}
