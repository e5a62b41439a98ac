import { Module } from '@nestjs/common';
import { BackupCleanupReconciler } from './backup-cleanup-reconciler.js';

/** Automatic work on backups. For worker processes. */
@Module({ providers: [BackupCleanupReconciler] })
export class BackupCleanupModule {}
