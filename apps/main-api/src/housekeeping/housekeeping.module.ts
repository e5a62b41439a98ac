import { Module } from '@nestjs/common';
import { Housekeeping } from './housekeeping.js';

/** What has to be done now and then, in worker processes. */
@Module({ providers: [Housekeeping] })
export class HousekeepingModule {}
