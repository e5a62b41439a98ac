import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import { BackupsRepository, NodesRepository, RuntimesRepository } from '@libs/persistence/runtime';
import { BackupRequests } from './backup-requests.js';

/** For other modules that take backups, such as upgrades. */
@Module({
  imports: [PersistenceModule.forFeature([BackupsRepository, NodesRepository, RuntimesRepository])],
  providers: [BackupRequests],
  exports: [BackupRequests],
})
export class BackupRequestsModule {}
