import { Module } from '@nestjs/common';
import { BackupRequests } from './backup-requests.js';

/** For whoever else asks for backups: upgrades do. */
@Module({ providers: [BackupRequests], exports: [BackupRequests] })
export class BackupRequestsModule {}
