import { Module } from '@nestjs/common';
import { KeyExpiryJob } from './key-expiry-job.js';

/** The work of worker processes for API keys. */
@Module({ providers: [KeyExpiryJob] })
export class ApiKeysWorkModule {}
