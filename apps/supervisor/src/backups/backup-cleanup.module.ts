import { Module } from '@nestjs/common';
import { BackupCleanupReconciler } from './backup-cleanup-reconciler.js';
import { BackupLedger } from './backup-ledger.js';
import { BackupRequestsModule } from './backup-requests.module.js';
import { BackupScheduleReconciler } from './schedule/backup-schedule-reconciler.js';
import { ScheduleRoom } from './schedule/schedule-room.js';

/** Automatic work on backups. For worker processes. */
@Module({
  imports: [BackupRequestsModule],
  providers: [BackupCleanupReconciler, BackupLedger, BackupScheduleReconciler, ScheduleRoom],
})
export class BackupCleanupModule {}
