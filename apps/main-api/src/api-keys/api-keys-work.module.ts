import { Module } from '@nestjs/common';
import { KeyExpiryWatch } from './key-expiry-watch.js';

/** What worker processes do for API keys. */
@Module({ providers: [KeyExpiryWatch] })
export class ApiKeysWorkModule {}
