import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import { ExpiringKeysRepository } from '@libs/persistence/organization';
import { KeyExpiryJob } from './key-expiry-job.js';

/** The work of worker processes for API keys. */
@Module({ imports: [PersistenceModule.forFeature([ExpiringKeysRepository])], providers: [KeyExpiryJob] })
export class ApiKeysWorkModule {}
