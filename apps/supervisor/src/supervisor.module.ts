import { type DynamicModule, Module } from '@nestjs/common';
import { OperationsModule } from '@libs/operations';
import { ByocModule } from './byoc/index.js';
import type { SupervisorConfig } from './config.js';
import { AccessRulesModule } from './access-rules/index.js';
import { ActivitiesModule } from './activities/index.js';
import { BackupCleanupModule, BackupsModule } from './backups/index.js';
import { CertificateReconcilerModule, CertificatesModule } from './certificates/index.js';
import { ConfigsModule } from './configs/index.js';
import { ConnectorsModule } from './connectors/index.js';
import { DeploymentsModule } from './deployments/index.js';
import { GatewayModule } from './gateway/index.js';
import { LifecycleModule } from './lifecycle/index.js';
import { NetworkModule } from './network/index.js';
import { PlatformModule } from './platform/index.js';
import { ReconciliationModule } from './reconciliation/index.js';
import { SnapshotCleanupModule, SnapshotsModule } from './snapshots/index.js';
import { SummariesModule } from './summaries/index.js';
import { TasksModule } from './tasks/index.js';
import { TelemetryCleanupModule, TelemetryModule } from './telemetry/index.js';

/** A Supervisor: the runtime of one cell. Its role defines which parts run in this process. */
@Module({})
export class SupervisorModule {
  static forRoot(config: SupervisorConfig): DynamicModule {
    const has = (part: SupervisorConfig['LANDLORD_ROLE']): boolean => ['all', part].includes(config.LANDLORD_ROLE);
    const lifecycle = LifecycleModule.forRoot(config);
    return {
      module: SupervisorModule,
      imports: [
        PlatformModule.forRoot(config),
        ...(has('api') ? MODULES : []),
        ...(has('worker')
          ? [
              lifecycle,
              ReconciliationModule.on(lifecycle),
              TelemetryCleanupModule,
              BackupCleanupModule,
              CertificateReconcilerModule,
              SnapshotCleanupModule,
            ]
          : []),
        ...(has('gateway') ? [GatewayModule] : []),
      ],
    };
  }
}

const MODULES = [
  DeploymentsModule,
  CertificatesModule,
  AccessRulesModule,
  ConfigsModule,
  BackupsModule,
  ConnectorsModule,
  SnapshotsModule,
  ActivitiesModule,
  TasksModule,
  NetworkModule,
  ByocModule,
  SummariesModule,
  TelemetryModule,
  OperationsModule,
];
