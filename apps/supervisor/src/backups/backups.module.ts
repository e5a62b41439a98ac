import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import { BackupsRepository, NodesRepository, RuntimesRepository } from '@libs/persistence/runtime';
import { BackupRequestsModule } from './backup-requests.module.js';
import { BackupsController } from './backups.controller.js';
import { BackupsService } from './backups.service.js';

@Module({
  imports: [
    BackupRequestsModule,
    PersistenceModule.forFeature([BackupsRepository, NodesRepository, RuntimesRepository]),
  ],
  controllers: [BackupsController],
  providers: [BackupsService],
})
export class BackupsModule {}
