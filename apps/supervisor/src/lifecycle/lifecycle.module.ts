import { type DynamicModule, Module } from '@nestjs/common';
import { operationsQueue } from '@libs/domain';
import { isOff, QueueModule, WakeUpHandler, wakeUpProcessor } from '@libs/queue';
import type { Workflow } from '@libs/workflow';
import type { SupervisorConfig } from '../config.js';
import { BackupRequestsModule } from '../backups/index.js';
import { CertificateIssuingModule } from '../certificates/index.js';
import { SnapshotBuildingModule } from '../snapshots/index.js';
import { CloudResources } from './cloud-resources.js';
import { CreatePrivateConnection } from './private-connections/create-private-connection.workflow.js';
import { DeleteBackup } from './backups/delete-backup.workflow.js';
import { DeleteDeployment } from './delete/delete-deployment.workflow.js';
import { DeletePrivateConnection } from './private-connections/delete-private-connection.workflow.js';
import { DeleteSnapshot } from './snapshots/delete-snapshot.workflow.js';
import { DeploymentLedger } from './deployment-ledger.js';
import { DeploymentDestruction } from './deployment-destruction.js';
import { DeploymentNames } from './deployment-names.js';
import { DeploymentResources } from './deployment-resources.js';
import { MoveLedger } from './move/move-ledger.js';
import { MoveNode } from './move/move-node.workflow.js';
import { MovingNode } from './move/moving-node.js';
import { NodeCertificates } from './rotate/node-certificates.js';
import { LifecycleWorker } from './lifecycle-worker.js';
import { LifecycleWorkflows, WORKFLOWS } from './lifecycle-workflows.js';
import { NodePlacement } from './node-placement.js';
import { NodeTurns } from './node-turns.js';
import { NodeWork } from './node-work.js';
import { PrivateConnectionReports } from './private-connections/private-connection-reports.js';
import { PrivateConnectionResources } from './private-connections/private-connection-resources.js';
import { ProvisionNodes } from './provision/provision-nodes.js';
import { ProvisionSource } from './provision/provision-source.js';
import { ProvisionDeployment } from './provision/provision-deployment.workflow.js';
import { RestoreBackup } from './backups/restore-backup.workflow.js';
import { RotateCertificates } from './rotate/rotate-certificates.workflow.js';
import { RotateCredentials } from './rotate/rotate-credentials.workflow.js';
import { RunActivity } from './activities/run-activity.workflow.js';
import { RunConnectors } from './connectors/run-connectors.workflow.js';
import { TakeBackup } from './backups/take-backup.workflow.js';
import { NodeSnapshots } from './backups/node-snapshots.js';
import { RestoreNodes } from './backups/restore-nodes.js';
import { UpgradeNodes } from './upgrade/upgrade-nodes.js';
import { TakeSnapshot } from './snapshots/take-snapshot.workflow.js';
import { UpgradeBackup } from './upgrade/upgrade-backup.js';
import { UpgradeDeployment } from './upgrade/upgrade-deployment.workflow.js';

const LIFECYCLE = [
  ProvisionDeployment,
  UpgradeDeployment,
  RotateCredentials,
  RotateCertificates,
  RunActivity,
  RunConnectors,
  TakeBackup,
  RestoreBackup,
  MoveNode,
  DeleteBackup,
  TakeSnapshot,
  DeleteSnapshot,
  CreatePrivateConnection,
  DeletePrivateConnection,
  DeleteDeployment,
];

/** What the workflows use. */
const PARTS = [
  CloudResources,
  DeploymentDestruction,
  DeploymentNames,
  DeploymentResources,
  PrivateConnectionReports,
  PrivateConnectionResources,
  DeploymentLedger,
  NodePlacement,
  NodeCertificates,
  ProvisionNodes,
  ProvisionSource,
  NodeTurns,
  NodeWork,
  UpgradeBackup,
  UpgradeNodes,
  NodeSnapshots,
  RestoreNodes,
  MoveLedger,
  MovingNode,
];

/** The workflows of deployments in this cell. */
@Module({})
export class LifecycleModule {
  static forRoot(config: SupervisorConfig): DynamicModule {
    const queue = operationsQueue(config.SUPERVISOR_CELL);
    const hasQueue = !isOff({ url: config.QUEUE_URL ?? '' });
    return {
      module: LifecycleModule,
      imports: [
        BackupRequestsModule,
        CertificateIssuingModule,
        SnapshotBuildingModule,
        ...(hasQueue ? [QueueModule.forProcessorsOf(queue)] : []),
      ],
      providers: [
        ...PARTS,
        ...LIFECYCLE,
        { provide: WORKFLOWS, useFactory: (...workflows: Workflow[]) => workflows, inject: LIFECYCLE },
        LifecycleWorkflows,
        LifecycleWorker,
        { provide: WakeUpHandler, useExisting: LifecycleWorker },
        ...(hasQueue ? [wakeUpProcessor(queue)] : []),
      ],
      exports: [DeploymentNames, DeploymentResources, PrivateConnectionReports, PrivateConnectionResources],
    };
  }
}
