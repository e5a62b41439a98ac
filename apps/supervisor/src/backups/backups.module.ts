import { Module } from '@nestjs/common';
import { BackupRequestsModule } from './backup-requests.module.js';
import { BackupsController } from './backups.controller.js';
import { BackupsService } from './backups.service.js';

@Module({ imports: [BackupRequestsModule], controllers: [BackupsController], providers: [BackupsService] })
export class BackupsModule {}
