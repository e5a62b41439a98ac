import { Module } from '@nestjs/common';
import { BackupRequestsModule } from './backup-requests.module.js';
import { BackupsController } from './backups.controller.js';
import { BackupsService } from './backups.service.js';
import { BackupSchedulesController } from './schedule/backup-schedules.controller.js';
import { BackupSchedulesService } from './schedule/backup-schedules.service.js';

@Module({
  imports: [BackupRequestsModule],
  controllers: [BackupSchedulesController, BackupsController],
  providers: [BackupSchedulesService, BackupsService],
})
export class BackupsModule {}
