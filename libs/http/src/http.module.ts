import { type DynamicModule, Global, Module, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { AccessGuard } from './access/access.guard.js';
import { Admission, NoFurtherAdmission } from './access/admission.js';
import { ApiKeyExtractor, ApiKeyStrategy } from './access/api-key.strategy.js';
import { Credentials } from './access/credentials.js';
import { PublicScheme } from './access/session-cookie.js';
import { RateGate } from './access/rate-gate.js';
import { FurtherFaults } from './input/further-faults.js';
import { RouteInput } from './input/route-input.js';
import { ValidationPipe } from './input/validation.pipe.js';
import { ProblemFilter } from './errors/problem.filter.js';
import { DrainTime, Shutdown } from './lifetime/shutdown.js';
import { Metrics } from './metrics/metrics.js';
import { MetricsController, ScrapeToken } from './metrics/metrics.controller.js';
import { CallerStore, IdempotencyStore, NoSessions, RateStore, SessionStore, WriteTransaction } from './ports.js';

/** Who stands behind the ports. */
export interface HttpStores {
  callers: Type<CallerStore>;
  idempotency: Type<IdempotencyStore>;
  transactions: Type<WriteTransaction>;
  rates: Type<RateStore>;
  /** Of an app that people sign in to. */
  sessions?: Type<SessionStore>;
  /** What the app asks of callers beyond key, scope and permission. */
  admission?: Type<Admission>;
}

/** Settings that every app has. */
export interface HttpSettings {
  /** How long a process that is told to stop goes on serving. */
  SHUTDOWN_DRAIN_SECONDS: number;
  /** What scrapers of /metrics show; without it only this machine may. */
  METRICS_TOKEN?: string | undefined;
  /** Where clients reach the app that people sign in to. */
  LANDLORD_PUBLIC_URL?: string | undefined;
}

/** Guard, pipe and filter of an app, for every route; fails closed. */
@Global()
@Module({})
export class HttpModule {
  static forRoot(stores: HttpStores, settings: HttpSettings): DynamicModule {
    const ports = [
      { provide: CallerStore, useClass: stores.callers },
      { provide: IdempotencyStore, useClass: stores.idempotency },
      { provide: WriteTransaction, useClass: stores.transactions },
      { provide: RateStore, useClass: stores.rates },
      { provide: SessionStore, useClass: stores.sessions ?? NoSessions },
      { provide: Admission, useClass: stores.admission ?? NoFurtherAdmission },
    ];
    return {
      module: HttpModule,
      imports: [PassportModule],
      controllers: [MetricsController],
      providers: [
        ...ports,
        { provide: DrainTime, useValue: { drainMs: settings.SHUTDOWN_DRAIN_SECONDS * 1000 } },
        Shutdown,
        { provide: ScrapeToken, useValue: { token: settings.METRICS_TOKEN ?? null } },
        Metrics,
        ApiKeyStrategy,
        ApiKeyExtractor,
        Credentials,
        { provide: PublicScheme, useValue: { isHttps: settings.LANDLORD_PUBLIC_URL?.startsWith('https:') ?? false } },
        RateGate,
        FurtherFaults,
        RouteInput,
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_PIPE, useClass: ValidationPipe },
        { provide: APP_FILTER, useClass: ProblemFilter },
      ],
      exports: [...ports.map(({ provide }) => provide), PublicScheme, FurtherFaults, RouteInput, Shutdown, Metrics],
    };
  }
}
