import { Clearable, Example, IsText, UpdateDto } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';

/** The times of the backups of a deployment, and how many of them stay. Exactly one of `cron` and `every_hours`. */
@Example<BackupScheduleDto>({ every_hours: 24, keep: 1 })
export class BackupScheduleDto extends UpdateDto {
  @Clearable()
  @IsText(
    100,
    'Five fields of a cron expression, in UTC. At least an hour lies between two backups. Each deployment starts up to 15 minutes later than the expression says, always by the same time.',
  )
  cron?: string | null;

  @Clearable()
  @IsInt()
  @Min(1)
  @Max(720)
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 720, description: 'Hours from one backup to the next.' })
  every_hours?: number | null;

  @IsInt()
  @Min(1)
  @Max(1000)
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: 1000,
    description: 'Backups of the schedule that stay; at most the backups that the plan allows. Older ones are deleted.',
  })
  keep: number;
}
