import { Module } from '@nestjs/common';
import { BackupHousekeeper } from './backup-housekeeper.js';
import { BackupRequests } from './backup-requests.js';
import { BackupsController } from './backups.controller.js';
import { BackupsService } from './backups.service.js';

@Module({ providers: [BackupRequests], exports: [BackupRequests] })
export class BackupRequestsModule {}

@Module({
  imports: [BackupRequestsModule],
  controllers: [BackupsController],
  providers: [BackupsService],
})
export class BackupsModule {}

/** What is done with backups by itself, for the processes that work. */
@Module({ providers: [BackupHousekeeper] })
export class BackupKeepingModule {}
