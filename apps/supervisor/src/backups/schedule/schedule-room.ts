import { Injectable } from '@nestjs/common';
import {
  BackupSchedulesRepository,
  BackupsRepository,
  type BackupSchedule,
  type DeploymentFacts,
} from '@libs/persistence/runtime';
import { askedByNobody, DeploymentOperations } from '../../platform/index.js';
import { backupDeletion } from '../backup-deletion.js';

/** Makes room for the next backup of a schedule at the limit of the plan. */
@Injectable()
export class ScheduleRoom {
  constructor(
    private readonly schedules: BackupSchedulesRepository,
    private readonly backups: BackupsRepository,
    private readonly operations: DeploymentOperations,
  ) {}

  /**
   * At the limit of the plan, deletes the oldest backup of the schedule. Otherwise that backup stays until the new one exists.
   * The caller must have locked the deployment.
   */
  async make(facts: DeploymentFacts, { keep }: BackupSchedule, limit: number): Promise<void> {
    if ((await this.backups.count(facts.id)) < limit) return;
    const oldest = await this.schedules.oldest(facts.id);
    if (!oldest || oldest.total < keep || !(await this.backups.markDeleting(facts.id, oldest.id))) return;
    await this.operations.open(facts, askedByNobody(), backupDeletion(oldest.id));
  }
}
