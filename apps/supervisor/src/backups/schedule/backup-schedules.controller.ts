import { Body, Delete, Get, Put } from '@nestjs/common';
import type { Precondition } from '@libs/domain';
import {
  Actor,
  FailsWith,
  IfMatch,
  Reads,
  Returns,
  Routes,
  WithinPlan,
  Writes,
  WritesWhenChanged,
  type ActingCaller,
} from '@libs/http';
import { BackupScheduleDto } from '../dto/backup-schedule.dto.js';
import { BackupScheduleView } from '../dto/backup-schedule.view.js';
import { BackupSchedulesService } from './backup-schedules.service.js';

@Routes('deployments/:deployment_id/backups/schedule', 'Backups')
export class BackupSchedulesController {
  constructor(private readonly schedules: BackupSchedulesService) {}

  /** Reads the schedule of the backups. Experimental. */
  @Get()
  @Reads('deployment:read', BackupScheduleView)
  @FailsWith('backup_schedule_not_found')
  get(@Actor() actor: ActingCaller): Promise<BackupScheduleView> {
    return this.schedules.get(actor);
  }

  /**
   * Sets when the deployment is backed up, and how many of these backups stay. Only backups of the schedule are deleted.
   * After an outage one missed backup is taken. Experimental.
   */
  @Put()
  @WritesWhenChanged('deployment:manage', 'backup_schedule_set')
  @Returns(BackupScheduleView)
  @WithinPlan('backup_enabled', 'deployment_backups_limit')
  @FailsWith('backup_not_supported', 'feature_unavailable', 'state_conflict')
  put(
    @Actor() actor: ActingCaller,
    @Body() dto: BackupScheduleDto,
    @IfMatch() precondition: Precondition,
  ): Promise<BackupScheduleView> {
    return this.schedules.put(actor, dto, precondition);
  }

  /** Ends the schedule. Its backups stay until they expire. Experimental. */
  @Delete()
  @Writes('deployment:manage', 'backup_schedule_deleted')
  @FailsWith('backup_schedule_not_found')
  delete(@Actor() actor: ActingCaller, @IfMatch() precondition: Precondition): Promise<void> {
    return this.schedules.delete(actor, precondition);
  }
}
