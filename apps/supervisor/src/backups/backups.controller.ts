import { Body, Delete, Get, Post, Query } from '@nestjs/common';
import { Actor, FailsWith, NoContent, PathId, Reads, Routes, WithinPlan, Writes, type ActingCaller } from '@libs/http';
import { type Written, type BackupId } from '@libs/domain';
import { BackupsService } from './backups.service.js';
import { BackupsQuery } from './dto/backups.query.js';
import { BackupView } from './dto/backup.view.js';
import { CreateBackupDto } from './dto/create-backup.dto.js';

@Routes('deployments/:deployment_id/backups', 'Backups', { backup_id: 'The backup.' })
export class BackupsController {
  constructor(private readonly backups: BackupsService) {}

  /** Lists the backups of the deployment, newest first. Experimental. */
  @Get()
  @Reads('deployment:read', [BackupView])
  list(@Actor() actor: ActingCaller, @Query() query: BackupsQuery): Promise<BackupView[]> {
    return this.backups.list(actor, query);
  }

  /**
   * Takes a backup of all nodes, or of one node, while clients stay connected. The list and the operation show the
   * progress. Available for AWS deployments with network storage. Experimental.
   */
  @Post()
  @Writes('deployment:manage', 'backup_created')
  @NoContent('backup', 'operation')
  @WithinPlan('backup_enabled', 'deployment_backups_limit', 'backup_retention_days', 'backup_regions_limit')
  @FailsWith('backup_not_supported', 'retention_above_maximum', 'state_conflict')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateBackupDto): Promise<Written> {
    return this.backups.create(actor, dto);
  }

  /**
   * Replaces the data of the nodes with the data of the backup. The deployment stops and starts again, and data written
   * after the backup is lost. The operation rejects a damaged backup before the deployment stops. Experimental.
   */
  @Post(':backup_id/restore')
  @Writes('deployment:manage', 'backup_restored')
  @NoContent('operation')
  @FailsWith('state_conflict')
  restore(@Actor() actor: ActingCaller, @PathId() id: BackupId): Promise<Written> {
    return this.backups.restore(actor, id);
  }

  /** Deletes a backup and its stored data. A backup that is being taken cannot be deleted. Experimental. */
  @Delete(':backup_id')
  @Writes('deployment:manage', 'backup_deleted')
  @NoContent('operation')
  @FailsWith('state_conflict')
  delete(@Actor() actor: ActingCaller, @PathId() id: BackupId): Promise<Written> {
    return this.backups.delete(actor, id);
  }
}
