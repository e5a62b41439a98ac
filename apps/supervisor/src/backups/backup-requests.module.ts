import { Module } from '@nestjs/common';
import { BackupRequests } from './backup-requests.js';

/** For other modules that take backups, such as upgrades. */
@Module({
  providers: [BackupRequests],
  exports: [BackupRequests],
})
export class BackupRequestsModule {}
