import { ApiNullableText } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

const TIME = { type: 'string', format: 'date-time' } as const;

/** The schedule of the backups of a deployment (C-19.10). */
export class BackupScheduleView {
  @ApiNullableText('Cron expression, UTC. Null with `every_hours`.')
  cron: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Hours between backups. Null with `cron`.' })
  every_hours: number | null;

  @ApiProperty({ type: 'integer', description: 'Backups of the schedule that stay.' })
  keep: number;

  /** `paused`: the plan does not allow the schedule. The schedule goes on when the plan allows it. */
  @ApiProperty({ enum: ['active', 'paused'] })
  status: string;

  @ApiNullableText('Why the schedule is paused. Null: it is not.')
  status_reason: string | null;

  @ApiProperty({
    ...TIME,
    description:
      'The next backup. Up to 15 minutes after the time of `cron`, always by the same time for one deployment.',
  })
  next_at: string;

  @ApiProperty({ ...TIME, nullable: true, description: 'The last time the schedule was due. Null: never.' })
  last_run_at: string | null;

  @ApiNullableText('Why the last run took no backup. Null: it took one.')
  last_error: string | null;

  @ApiProperty(TIME)
  created_at: string;

  @ApiProperty(TIME)
  updated_at: string;
}
