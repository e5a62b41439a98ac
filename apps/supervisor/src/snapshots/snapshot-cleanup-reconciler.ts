import { Inject, Injectable } from '@nestjs/common';
import type { DiagnosticSnapshotId } from '@libs/domain';
import { Database } from '@libs/persistence';
import { DiagnosticSnapshotsRepository, RuntimesRepository } from '@libs/persistence/runtime';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { DeploymentOperations, ExpiryReconciler } from '../platform/index.js';
import { snapshotDeletion } from './snapshot-deletion.js';

/** Deletes expired diagnostic snapshots. */
@Injectable()
export class SnapshotCleanupReconciler extends ExpiryReconciler<DiagnosticSnapshotId> {
  constructor(
    database: Database,
    operations: DeploymentOperations,
    runtimes: RuntimesRepository,
    snapshots: DiagnosticSnapshotsRepository,
    @Inject(SUPERVISOR_CONFIG) config: SupervisorConfig,
  ) {
    super('SnapshotCleanupReconciler', { database, operations, runtimes, config }, snapshots, snapshotDeletion);
  }
}
