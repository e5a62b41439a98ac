import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ACCESS_STORES_WITH_SESSIONS, AccessModule, DatabaseReadiness, WrittenDirectory } from '@libs/access';
import { Catalog, loadCatalog } from '@libs/catalog';
import { HealthController, HttpModule, Readiness } from '@libs/http';
import { AuditRetention, Ledger } from '@libs/ledger';
import { Database } from '@libs/persistence';
import { PersistenceModule } from '@libs/persistence/module';
import { WakeUpQueue, QueueModule } from '@libs/queue';
import { Operations } from '@libs/workflow';
import { MAIN_API_CONFIG, type MainApiConfig } from '../config.js';
import { directoryOf } from './check-app-start.js';

/** The shared services of all modules of the main API. */
@Global()
@Module({})
export class PlatformModule {
  static forRoot(config: MainApiConfig): DynamicModule {
    return {
      module: PlatformModule,
      imports: [
        PersistenceModule.forRoot({
          databaseUrl: config.DATABASE_URL,
          secretKeys: config.LANDLORD_SECRET_KEYS,
          applicationName: 'landlord-main-api',
        }),
        QueueModule.forRoot({ url: config.QUEUE_URL ?? config.DATABASE_URL }),
        AccessModule.forRoot(config),
        HttpModule.forRoot(ACCESS_STORES_WITH_SESSIONS, config),
      ],
      controllers: [HealthController],
      providers: [
        { provide: MAIN_API_CONFIG, useValue: config },
        { provide: Catalog, useFactory: () => loadCatalog(config.CATALOG_FILE) },
        {
          provide: AuditRetention,
          useFactory: (catalog: Catalog) => ({ daysByPlan: catalog.auditDaysByPlan() }),
          inject: [Catalog],
        },
        { provide: WrittenDirectory, useValue: { path: directoryOf(config) } },
        { provide: Readiness, useClass: DatabaseReadiness },
        {
          provide: Operations,
          useFactory: (database: Database, wakeUps: WakeUpQueue) => new Operations(database, wakeUps),
          inject: [Database, WakeUpQueue],
        },
        Ledger,
      ],
      exports: [MAIN_API_CONFIG, Catalog, Operations, Ledger],
    };
  }
}
