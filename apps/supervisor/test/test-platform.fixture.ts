import { type DynamicModule, Module } from '@nestjs/common';
import { Catalog, loadCatalog } from '@libs/catalog';
import type { CloudProvider, DnsProvider } from '@libs/cloud';
import { Metrics } from '@libs/http';
import { AuditRetention, Ledger } from '@libs/ledger';
import { ObjectStore } from '@libs/object-store';
import { Database, type Secrets } from '@libs/persistence';
import { SilentWakeUpQueue, WakeUpQueue } from '@libs/queue';
import { FakeDns, TestPersistenceModule } from '@libs/testing';
import { Operations } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../src/config.js';
import { CloudProviders } from '../src/platform/cloud-providers.js';
import { DnsProviders } from '../src/platform/dns-providers.js';
import { DeploymentOperations } from '../src/platform/deployment-operations.js';
import { Installation } from '../src/platform/installation.js';
import { TenantPlans } from '../src/platform/tenant-plans.js';

/** What a test gives to the modules of a Supervisor. */
export interface TestPlatformSetup {
  database: Database;
  secrets: Secrets;
  /** The store of the archives. */
  store: ObjectStore;
  /** Simulates every region of every cloud. */
  cloud?: CloudProvider;
  /** Drivers that only serve resources from before. */
  others?: readonly CloudProvider[];
  /** Drivers of names. The first is that of new names. Default: a new fake. */
  dns?: readonly DnsProvider[];
  installation?: string;
  catalog?: Catalog;
  /** Members that differ from the settings below. */
  config?: Partial<SupervisorConfig>;
}

const SETTINGS = {
  ...{ BASE_DOMAIN: 'test.local', LOCAL_BIND_ADDRESS: '127.0.0.1', LOCAL_PORT_RANGE: [31_000, 31_900] },
  ...{ SUPERVISOR_CELL: 'local', QUEUE_URL: 'off' },
};

/** The settings of the Supervisor that a test starts. */
export const settingsOf = ({ config }: Pick<TestPlatformSetup, 'config'>): SupervisorConfig =>
  ({ ...SETTINGS, ...config }) as SupervisorConfig;

/** The platform module of a Supervisor in a test: the same providers, on the database, cloud and store of the test. */
@Module({})
export class TestPlatformModule {
  static forRoot(setup: TestPlatformSetup): DynamicModule {
    const {
      cloud,
      installation = 'test',
      catalog = loadCatalog(),
      store,
      dns: [dns = new FakeDns(), ...more] = [],
    } = setup;
    const clouds = cloud ? ['aws', 'gcp'].map((name) => [name, cloud] as const) : [];
    const values = [
      { provide: SUPERVISOR_CONFIG, useValue: settingsOf(setup) },
      { provide: Catalog, useValue: catalog },
      { provide: AuditRetention, useValue: { daysByPlan: catalog.auditDaysByPlan() } },
      { provide: CloudProviders, useValue: new CloudProviders(new Map(clouds), setup.others) },
      { provide: DnsProviders, useValue: new DnsProviders(dns, more) },
      { provide: Installation, useValue: new Installation(installation) },
      { provide: ObjectStore, useValue: store },
      { provide: WakeUpQueue, useValue: new SilentWakeUpQueue() },
    ];
    const operations = {
      provide: Operations,
      useFactory: (database: Database, wakeUps: WakeUpQueue) => new Operations(database, wakeUps),
      inject: [Database, WakeUpQueue],
    };
    const providers = [...values, operations, DeploymentOperations, TenantPlans, Ledger, Metrics];
    return {
      module: TestPlatformModule,
      global: true,
      imports: [TestPersistenceModule.of(setup)],
      providers,
      exports: providers.map((provider) => ('provide' in provider ? provider.provide : provider)),
    };
  }
}
