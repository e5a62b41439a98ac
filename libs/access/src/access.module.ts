import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { HttpStores } from '@libs/http';
import { RATE_WINDOW } from '@libs/persistence/platform';
import { AccessCallerStore } from './access-caller-store.js';
import { AccessIdempotencyStore } from './access-idempotency-store.js';
import { AccessRateStore, RateLimit } from './access-rate-store.js';
import { AccessSessionStore } from './access-session-store.js';
import { AccessWriteTransaction } from './access-write-transaction.js';
import { ApiKeyUses } from './api-key-uses.js';

/** Who stands behind the ports of HTTP, in both apps. */
export const ACCESS_STORES: HttpStores = {
  callers: AccessCallerStore,
  idempotency: AccessIdempotencyStore,
  transactions: AccessWriteTransaction,
  rates: AccessRateStore,
};

/** Of the app that people sign in to: sessions, too. */
export const ACCESS_STORES_WITH_SESSIONS: HttpStores = { ...ACCESS_STORES, sessions: AccessSessionStore };

export interface AccessSettings {
  /** Requests a minute of one key over all processes; null for no limit. */
  RATE_LIMIT: number | null;
}

/** What the stores themselves stand on. */
@Global()
@Module({})
export class AccessModule {
  static forRoot({ RATE_LIMIT }: AccessSettings): DynamicModule {
    const limit: RateLimit = { limit: RATE_LIMIT, window: RATE_WINDOW };
    return {
      module: AccessModule,
      providers: [ApiKeyUses, { provide: RateLimit, useValue: limit }],
      exports: [ApiKeyUses, RateLimit],
    };
  }
}
