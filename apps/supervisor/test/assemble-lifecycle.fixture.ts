import type { Type } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { CreatePrivateConnection } from '../src/lifecycle/private-connections/create-private-connection.workflow.js';
import { DeleteBackup } from '../src/lifecycle/backups/delete-backup.workflow.js';
import { DeleteDeployment } from '../src/lifecycle/delete/delete-deployment.workflow.js';
import { DeletePrivateConnection } from '../src/lifecycle/private-connections/delete-private-connection.workflow.js';
import { DeleteSnapshot } from '../src/lifecycle/snapshots/delete-snapshot.workflow.js';
import { LifecycleModule } from '../src/lifecycle/lifecycle.module.js';
import { MoveNode } from '../src/lifecycle/move/move-node.workflow.js';
import { ProvisionDeployment } from '../src/lifecycle/provision/provision-deployment.workflow.js';
import { RestoreBackup } from '../src/lifecycle/backups/restore-backup.workflow.js';
import { RotateCertificates } from '../src/lifecycle/rotate/rotate-certificates.workflow.js';
import { RotateCredentials } from '../src/lifecycle/rotate/rotate-credentials.workflow.js';
import { RunActivity } from '../src/lifecycle/activities/run-activity.workflow.js';
import { RunConnectors } from '../src/lifecycle/connectors/run-connectors.workflow.js';
import { TakeBackup } from '../src/lifecycle/backups/take-backup.workflow.js';
import { TakeSnapshot } from '../src/lifecycle/snapshots/take-snapshot.workflow.js';
import { UpgradeDeployment } from '../src/lifecycle/upgrade/upgrade-deployment.workflow.js';
import { settingsOf, TestPlatformModule, type TestPlatformSetup } from './test-platform.fixture.js';

/** Every workflow of a cell. */
export type Workflows = ReturnType<typeof workflowsOf>;

/** Creates the lifecycle module on the cloud of the test. Its workers do not start: the test runs the workflows. */
export async function assembleLifecycle(setup: TestPlatformSetup): Promise<TestingModule> {
  const imports = [TestPlatformModule.forRoot(setup), LifecycleModule.forRoot(settingsOf(setup))];
  return Test.createTestingModule({ imports }).compile();
}

export function workflowsOf(module: TestingModule) {
  const of = <Workflow>(type: Type<Workflow>): Workflow => module.get(type, { strict: false });
  return {
    provision: of(ProvisionDeployment),
    upgrade: of(UpgradeDeployment),
    rotation: of(RotateCredentials),
    certificates: of(RotateCertificates),
    activity: of(RunActivity),
    connectors: of(RunConnectors),
    backup: of(TakeBackup),
    restore: of(RestoreBackup),
    move: of(MoveNode),
    backupDeletion: of(DeleteBackup),
    snapshot: of(TakeSnapshot),
    snapshotDeletion: of(DeleteSnapshot),
    connection: of(CreatePrivateConnection),
    connectionDeletion: of(DeletePrivateConnection),
    deletion: of(DeleteDeployment),
  };
}
