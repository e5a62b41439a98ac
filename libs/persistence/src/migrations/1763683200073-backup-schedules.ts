import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Backups on a schedule, at most one schedule per deployment. */
export class BackupSchedules1763683200073 implements MigrationInterface {
  name = 'BackupSchedules1763683200073';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table backup_schedules (
        deployment_id bigint primary key references deployments,
        cron text check (length(cron) <= 100),
        every_hours integer check (every_hours between 1 and 720),
        keep integer not null check (keep >= 1),
        next_at timestamptz not null,
        last_run_at timestamptz,
        last_error text,
        paused_reason text,
        author_id bigint references users,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        check ((cron is null) <> (every_hours is null))
      )`);
    await runner.query('create index backup_schedules_due on backup_schedules (next_at)');
    await runner.query('alter table backups add column by_schedule boolean not null default false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table backups drop column by_schedule');
    await runner.query('drop table backup_schedules');
  }
}
