import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { HttpStores } from '@libs/http';
import { RATE_WINDOW } from '@libs/persistence/platform';
import { AccessCallerStore } from './access-caller-store.js';
import { AccessIdempotencyStore } from './access-idempotency-store.js';
import { AccessRateStore, RateLimit } from './access-rate-store.js';
import { AccessSessionStore } from './access-session-store.js';
import { AccessWriteTransaction } from './access-write-transaction.js';
import { ApiKeyUses } from './api-key-uses.js';
import { SupervisorTokenStore, TokenAudience } from './supervisor-token-store.js';
import { SupervisorTokens } from './supervisor-tokens.js';

/** The implementations of the HTTP ports, for an app that accepts API keys only. */
export const ACCESS_STORES: HttpStores = {
  callers: AccessCallerStore,
  idempotency: AccessIdempotencyStore,
  transactions: AccessWriteTransaction,
  rates: AccessRateStore,
};

/** For a Supervisor: also tokens of signed-in users. */
export const ACCESS_STORES_WITH_TOKENS: HttpStores = { ...ACCESS_STORES, tokens: SupervisorTokenStore };

/** For the app with sign-in: also sessions. */
export const ACCESS_STORES_WITH_SESSIONS: HttpStores = { ...ACCESS_STORES, sessions: AccessSessionStore };

/** People mistype. An address with more than one attempt every two seconds is a program. */
const PASSWORDS_A_MINUTE = 30;

export interface AccessSettings {
  /** Requests per minute of one key over all processes. Null for no limit. */
  RATE_LIMIT: number | null;
  /** Requests per minute of one address that hash a password. Default: 30, or no limit when RATE_LIMIT is off. */
  PASSWORD_RATE_LIMIT?: number | null | undefined;
  /** The cell of a Supervisor. The main API has none, and accepts no tokens. */
  SUPERVISOR_CELL?: string | undefined;
}

/** The providers that the stores need. */
@Global()
@Module({})
export class AccessModule {
  static forRoot({ RATE_LIMIT, PASSWORD_RATE_LIMIT: asked, SUPERVISOR_CELL }: AccessSettings): DynamicModule {
    const password = asked === undefined && RATE_LIMIT !== null ? PASSWORDS_A_MINUTE : (asked ?? null);
    const limit: RateLimit = { limits: { request: RATE_LIMIT, password }, window: RATE_WINDOW };
    return {
      module: AccessModule,
      providers: [
        ApiKeyUses,
        SupervisorTokens,
        { provide: RateLimit, useValue: limit },
        { provide: TokenAudience, useValue: { cell: SUPERVISOR_CELL ?? '' } },
      ],
      exports: [ApiKeyUses, RateLimit, SupervisorTokens, TokenAudience],
    };
  }
}
