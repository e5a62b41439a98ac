import { Module } from '@nestjs/common';
import { SnapshotHousekeeper } from './snapshot-housekeeper.js';

/** What is done with snapshots by itself, for the processes that work. */
@Module({ providers: [SnapshotHousekeeper] })
export class SnapshotKeepingModule {}
