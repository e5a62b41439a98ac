import { IsOneOf, Optional } from '@libs/http';
import { BACKUP_STATUSES, type BackupStatus } from '@libs/persistence/runtime';

/** The filter of backups. */
export class BackupsQuery {
  @Optional()
  @IsOneOf(BACKUP_STATUSES, 'Only with this status.')
  status?: BackupStatus;
}
