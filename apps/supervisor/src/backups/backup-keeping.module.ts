import { Module } from '@nestjs/common';
import { BackupHousekeeper } from './backup-housekeeper.js';

/** What is done with backups by itself. For the processes that work. */
@Module({ providers: [BackupHousekeeper] })
export class BackupKeepingModule {}
