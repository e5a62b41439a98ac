import { type DynamicModule, Global, Module, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { AccessGuard } from './access/access.guard.js';
import { Admission, NoFurtherAdmission } from './access/admission.js';
import { Connections } from './access/connections.js';
import { Credentials } from './access/credentials.js';
import { PublicScheme } from './access/strategies/session-cookie.js';
import { registerStrategies } from './access/strategies/strategies.js';
import { RateGate } from './access/rate-gate.js';
import { FurtherFaults } from './input/further-faults.js';
import { RouteInput } from './input/route-input.js';
import { ValidationPipe } from './input/validation.pipe.js';
import { ProblemFilter } from './errors/problem.filter.js';
import { DrainTime, Shutdown } from './lifetime/shutdown.js';
import { Metrics } from './metrics/metrics.js';
import { MetricsController, ScrapeToken } from './metrics/metrics.controller.js';
import {
  CallerStore,
  IdempotencyStore,
  NoSessions,
  NoTokens,
  RateStore,
  SessionStore,
  TokenStore,
  WriteTransaction,
} from './ports.js';

/** The implementations of the ports. */
export interface HttpStores {
  callers: Type<CallerStore>;
  idempotency: Type<IdempotencyStore>;
  transactions: Type<WriteTransaction>;
  rates: Type<RateStore>;
  /** Only for an app that accepts tokens of the console. */
  tokens?: Type<TokenStore>;
  /** Only for an app with sessions. */
  sessions?: Type<SessionStore>;
  /** Requirements of the app for callers, in addition to key, scope and permission. */
  admission?: Type<Admission>;
}

/** Settings that every app has. */
export interface HttpSettings {
  /** Seconds that a stopping process continues to serve. */
  SHUTDOWN_DRAIN_SECONDS: number;
  /** Token of scrapers of /metrics. Without it only this machine may read /metrics. */
  METRICS_TOKEN?: string | undefined;
  /** URL at which clients reach the app with sessions. */
  LANDLORD_PUBLIC_URL?: string | undefined;
}

/** Guard, pipe and filter of an app, for every route. The guard fails closed. */
@Global()
@Module({})
export class HttpModule {
  static forRoot(stores: HttpStores, settings: HttpSettings): DynamicModule {
    registerStrategies();
    const ports = [
      { provide: CallerStore, useClass: stores.callers },
      { provide: IdempotencyStore, useClass: stores.idempotency },
      { provide: WriteTransaction, useClass: stores.transactions },
      { provide: RateStore, useClass: stores.rates },
      { provide: TokenStore, useClass: stores.tokens ?? NoTokens },
      { provide: SessionStore, useClass: stores.sessions ?? NoSessions },
      { provide: Admission, useClass: stores.admission ?? NoFurtherAdmission },
    ];
    return {
      module: HttpModule,
      controllers: [MetricsController],
      providers: [
        ...ports,
        { provide: DrainTime, useValue: { drainMs: settings.SHUTDOWN_DRAIN_SECONDS * 1000 } },
        Shutdown,
        { provide: ScrapeToken, useValue: { token: settings.METRICS_TOKEN ?? null } },
        Metrics,
        Connections,
        Credentials,
        { provide: PublicScheme, useValue: { isHttps: settings.LANDLORD_PUBLIC_URL?.startsWith('https:') ?? false } },
        RateGate,
        FurtherFaults,
        RouteInput,
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_PIPE, useClass: ValidationPipe },
        { provide: APP_FILTER, useClass: ProblemFilter },
      ],
      exports: [
        ...ports.map(({ provide }) => provide),
        ...[PublicScheme, FurtherFaults, RouteInput, Shutdown, Metrics],
        // For filters of single routes, which extend ProblemFilter.
        Connections,
      ],
    };
  }
}
