import { Module } from '@nestjs/common';
import { AuditSealer } from './audit-sealer.js';
import { Housekeeping } from './housekeeping.js';

/** What has to be done now and then, in worker processes. */
@Module({ providers: [Housekeeping, AuditSealer] })
export class HousekeepingModule {}
