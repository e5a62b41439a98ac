import { Module } from '@nestjs/common';
import { BackupCleanupReconciler } from './backup-cleanup-reconciler.js';

/** What is done with backups by itself. For the processes that work. */
@Module({ providers: [BackupCleanupReconciler] })
export class BackupCleanupModule {}
