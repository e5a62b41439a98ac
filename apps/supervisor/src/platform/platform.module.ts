import { resolve } from 'node:path';
import { type DynamicModule, Global, Module, type Provider } from '@nestjs/common';
import { ACCESS_STORES_WITH_TOKENS, AccessModule, DatabaseReadiness, WrittenDirectory } from '@libs/access';
import { Catalog, loadCatalog } from '@libs/catalog';
import { HealthController, HttpModule, Readiness } from '@libs/http';
import { AuditRetention, Ledger } from '@libs/ledger';
import { Database } from '@libs/persistence';
import { PersistenceModule } from '@libs/persistence/module';
import { InstallationRepository } from '@libs/persistence/platform';
import { WakeUpQueue, QueueModule } from '@libs/queue';
import { ObjectStore, openObjectStore } from '@libs/object-store';
import { Operations } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { CellPresenceReconciler } from './cell-presence-reconciler.js';
import { CellAdmission } from './cell-admission.js';
import { directoryOf } from './check-app-start.js';
import { DeploymentOperations } from './deployment-operations.js';
import { CloudProviders, cloudProviders } from './cloud-providers.js';
import { DnsProviders, dnsProviders } from './dns-providers.js';
import { Installation } from './installation.js';
import { LocalBroker } from './local-broker.js';
import { TenantPlans } from './tenant-plans.js';

/** The providers that every module of the Supervisor needs. */
@Global()
@Module({})
export class PlatformModule {
  static forRoot(config: SupervisorConfig): DynamicModule {
    return {
      module: PlatformModule,
      imports: [
        PersistenceModule.forRoot({
          databaseUrl: config.DATABASE_URL,
          secretKeys: config.LANDLORD_SECRET_KEYS,
          applicationName: 'landlord-supervisor',
        }),
        QueueModule.forRoot({ url: config.QUEUE_URL ?? config.DATABASE_URL }),
        AccessModule.forRoot(config),
        HttpModule.forRoot({ ...ACCESS_STORES_WITH_TOKENS, admission: CellAdmission }, config),
      ],
      controllers: [HealthController],
      providers: services(config),
      exports: [
        SUPERVISOR_CONFIG,
        CloudProviders,
        DnsProviders,
        LocalBroker,
        Catalog,
        Operations,
        DeploymentOperations,
        TenantPlans,
        Ledger,
        Installation,
        ObjectStore,
      ],
    };
  }
}

const services = (config: SupervisorConfig): Provider[] => [
  { provide: SUPERVISOR_CONFIG, useValue: config },
  { provide: LocalBroker, useFactory: () => LocalBroker.find(config) },
  { provide: Catalog, useFactory: () => loadCatalog(config.CATALOG_FILE) },
  {
    provide: AuditRetention,
    useFactory: (catalog: Catalog) => ({ daysByPlan: catalog.auditDaysByPlan() }),
    inject: [Catalog],
  },
  { provide: WrittenDirectory, useValue: { path: directoryOf(config) } },
  { provide: Readiness, useClass: DatabaseReadiness },
  { provide: Installation, useFactory: findInstallation, inject: [InstallationRepository] },
  cloudProviders(config),
  dnsProviders(config),
  {
    provide: ObjectStore,
    useFactory: () => openObjectStore(config.OBJECT_STORE_URL, resolve(config.LANDLORD_DATA_DIR)),
  },
  {
    provide: Operations,
    useFactory: (database: Database, wakeUps: WakeUpQueue) => new Operations(database, wakeUps),
    inject: [Database, WakeUpQueue],
  },
  DeploymentOperations,
  TenantPlans,
  Ledger,
  CellPresenceReconciler,
];

/** The database has no initial rows. `landlord start` or `landlord migrate` creates them. */
class NotInstalled extends Error {}

async function findInstallation(rows: InstallationRepository): Promise<Installation> {
  const row = await rows.find();
  if (!row) throw new NotInstalled('the database holds no installation yet: run landlord start or landlord migrate');
  return new Installation(row.name);
}
