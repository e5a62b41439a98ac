import { Clearable, IsId, IsName, IsOneOf, IsText, Optional } from '@libs/http';
import { BACKUP_TYPES, type BackupType } from '@libs/persistence/runtime';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';

/** Longer than any plan keeps a backup; what the plan allows is judged after it. */
const MOST_DAYS = 3650;

/** `POST …/backups` (C-19.2). */
export class CreateBackupDto {
  @IsName('What people call it.')
  name: string;

  @Clearable()
  @IsId('The one node to back up; every node unless told.')
  node_id?: number | null;

  @Optional()
  @IsOneOf(BACKUP_TYPES, 'Why it is taken; `manual` unless told.')
  backup_type?: BackupType;

  @Clearable()
  @IsText(500, 'What it is for.')
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
      'Days until it is deleted by itself, at most as many as the plan keeps backups; that many unless told.',
  })
  expires_in_days?: number;
}
