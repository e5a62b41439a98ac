import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import { BackupsRepository, RuntimesRepository } from '@libs/persistence/runtime';
import { BackupCleanupReconciler } from './backup-cleanup-reconciler.js';

/** Automatic work on backups. For worker processes. */
@Module({
  imports: [PersistenceModule.forFeature([BackupsRepository, RuntimesRepository])],
  providers: [BackupCleanupReconciler],
})
export class BackupCleanupModule {}
