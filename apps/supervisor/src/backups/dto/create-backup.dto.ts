import { Clearable, ClearableText, Example, IsId, IsName, IsOneOf, IsText, Optional } from '@libs/http';
import { BACKUP_TYPES, type BackupType } from '@libs/persistence/runtime';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';

/** Longer than any plan keeps a backup. The limit of the plan is checked later. */
const MOST_DAYS = 3650;

/** A new backup of the data of nodes (C-19.2). */
@Example<CreateBackupDto>({ name: 'before the upgrade', remarks: 'Release 7.' })
export class CreateBackupDto {
  @IsName('Display name of the backup.')
  name: string;

  @Clearable()
  @IsId('The only node to back up. Default: all nodes.')
  node_id?: number | null;

  @Optional()
  @IsOneOf(BACKUP_TYPES, 'Why the backup is taken. Default `manual`.')
  backup_type?: BackupType;

  @ClearableText()
  @IsText(500, 'Notes for people.')
  remarks?: string | null;

  @Optional()
  @IsInt()
  @Min(1)
  @Max(MOST_DAYS)
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: MOST_DAYS,
    description:
      'Days until the backup is deleted automatically. Default and maximum: the days for which the plan keeps backups.',
  })
  expires_in_days?: number;
}
