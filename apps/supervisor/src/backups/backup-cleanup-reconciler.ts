import { Inject, Injectable } from '@nestjs/common';
import type { BackupId } from '@libs/domain';
import { Database } from '@libs/persistence';
import { BackupsRepository, RuntimesRepository } from '@libs/persistence/runtime';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { DeploymentOperations, ExpiryReconciler } from '../platform/index.js';
import { backupDeletion } from './backup-deletion.js';

/** Deletes backups that are expired or that their schedule does not keep, unless a restore uses them. */
@Injectable()
export class BackupCleanupReconciler extends ExpiryReconciler<BackupId> {
  constructor(
    database: Database,
    operations: DeploymentOperations,
    runtimes: RuntimesRepository,
    backups: BackupsRepository,
    @Inject(SUPERVISOR_CONFIG) config: SupervisorConfig,
  ) {
    super('BackupCleanupReconciler', { database, operations, runtimes, config }, backups, backupDeletion);
  }
}
