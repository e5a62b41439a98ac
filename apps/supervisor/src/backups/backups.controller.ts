import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  Actor,
  Audited,
  FailsWith,
  Idempotent,
  InTransaction,
  NoContent,
  OfDeployment,
  OfTheDeployment,
  PathId,
  RequirePermission,
  Returns,
  WithinPlan,
  type ActingCaller,
  type Answer,
} from '@libs/http';
import { BackupsService } from './backups.service.js';
import { BackupView } from './dto/backup.view.js';
import { CreateBackupDto } from './dto/create-backup.dto.js';

@ApiTags('Backups')
@Controller('deployments/:deployment_id/backups')
export class BackupsController {
  constructor(private readonly backups: BackupsService) {}

  /** Lists the backups of the deployment, newest first. Experimental. */
  @Get()
  @RequirePermission('deployment:read')
  @OfDeployment()
  @Returns([BackupView])
  list(@Actor() actor: ActingCaller): Promise<BackupView[]> {
    return this.backups.list(actor);
  }

  /**
   * Takes a backup of every node, or of one, while clients go on; how far it is stands in the list and in its operation. For
   * aws with network storage. Experimental.
   */
  @Post()
  @RequirePermission('deployment:manage')
  @Idempotent()
  @Audited('backup_created')
  @OfDeployment()
  @NoContent('backup', 'operation')
  @WithinPlan('backup_enabled', 'deployment_backups_limit', 'backup_retention_days', 'backup_regions_limit')
  @FailsWith('backup_not_supported', 'retention_above_maximum', 'state_conflict')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateBackupDto): Promise<Answer> {
    return this.backups.create(actor, dto);
  }

  /**
   * Puts the data of the backup in the place of what the nodes hold. The deployment is stopped and started again; what was
   * written after the backup is lost. A damaged backup is refused by its operation before anything is stopped. Experimental.
   */
  @Post(':backup_id/restore')
  @RequirePermission('deployment:manage')
  @Idempotent()
  @Audited('backup_restored')
  @OfTheDeployment('backup', 'The backup.')
  @NoContent('operation')
  @FailsWith('state_conflict')
  restore(@Actor() actor: ActingCaller, @PathId('backup_id') id: number): Promise<Answer> {
    return this.backups.restore(actor, id);
  }

  /** Deletes a backup that is not being taken, and what is stored of it. Experimental. */
  @Delete(':backup_id')
  @RequirePermission('deployment:manage')
  @InTransaction()
  @Audited('backup_deleted')
  @OfTheDeployment('backup', 'The backup.')
  @NoContent('operation')
  @FailsWith('state_conflict')
  delete(@Actor() actor: ActingCaller, @PathId('backup_id') id: number): Promise<Answer> {
    return this.backups.delete(actor, id);
  }
}
