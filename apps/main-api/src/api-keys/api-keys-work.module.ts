import { Module } from '@nestjs/common';
import { KeyExpiryJob } from './key-expiry-job.js';

/** What worker processes do for API keys. */
@Module({ providers: [KeyExpiryJob] })
export class ApiKeysWorkModule {}
