import type { DeploymentId, UserId } from '@libs/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The times at which the Supervisor backs up a deployment. */
@Entity('backup_schedules')
export class BackupSchedule {
  @PrimaryColumn('bigint')
  deployment_id: DeploymentId;

  /** Five fields, UTC. Null for a schedule with `every_hours`. */
  @Column('text', { nullable: true })
  cron: string | null;

  @Column('integer', { nullable: true })
  every_hours: number | null;

  /** How many backups of the schedule stay. */
  @Column('integer')
  keep: number;

  @Column('timestamptz')
  next_at: Date;

  @Column('timestamptz', { nullable: true })
  last_run_at: Date | null;

  /** Why the last run took no backup. Null after a run that took one. */
  @Column('text', { nullable: true })
  last_error: string | null;

  /** Why the schedule takes no backups. Null: it takes them. */
  @Column('text', { nullable: true })
  paused_reason: string | null;

  @Column('bigint', { nullable: true })
  author_id: UserId | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updated_at: Date;
}
