import { type DynamicModule, Global, Module, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { AccessGuard } from './access/access.guard.js';
import { Admission, NoFurtherAdmission } from './access/admission.js';
import { ApiKeyExtractor, ApiKeyStrategy } from './access/api-key.strategy.js';
import { ValidationPipe } from './body/validation.pipe.js';
import { ProblemFilter } from './errors/problem.filter.js';
import { DrainTime, Shutdown } from './lifetime/shutdown.js';
import { CallerStore, IdempotencyStore, WriteTransaction } from './ports.js';

/** Who stands behind the ports, and how the app ends. */
export interface HttpStores {
  callers: Type<CallerStore>;
  idempotency: Type<IdempotencyStore>;
  transactions: Type<WriteTransaction>;
  /** What the app asks of callers beyond key, scope and permission. */
  admission?: Type<Admission>;
  /** Seconds that a process told to stop goes on serving. */
  drainSeconds: number;
}

/** Guard, pipe and filter of an app, for every route; fails closed. */
@Global()
@Module({})
export class HttpModule {
  static forRoot(stores: HttpStores): DynamicModule {
    const ports = [
      { provide: CallerStore, useClass: stores.callers },
      { provide: IdempotencyStore, useClass: stores.idempotency },
      { provide: WriteTransaction, useClass: stores.transactions },
      { provide: Admission, useClass: stores.admission ?? NoFurtherAdmission },
    ];
    return {
      module: HttpModule,
      imports: [PassportModule],
      providers: [
        ...ports,
        { provide: DrainTime, useValue: { drainMs: stores.drainSeconds * 1000 } },
        Shutdown,
        ApiKeyStrategy,
        ApiKeyExtractor,
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_PIPE, useClass: ValidationPipe },
        { provide: APP_FILTER, useClass: ProblemFilter },
      ],
      exports: [...ports.map(({ provide }) => provide), Shutdown],
    };
  }
}
