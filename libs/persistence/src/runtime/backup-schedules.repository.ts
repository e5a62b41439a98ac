import { Injectable } from '@nestjs/common';
import type { BackupId, DeploymentId, UserId } from '@libs/domain';
import { statement, Database } from '../database.js';
import { BackupSchedule } from './entities/backup-schedule.entity.js';

/** The times and the number of backups that a schedule keeps. */
export type ScheduleTerms = Pick<BackupSchedule, 'cron' | 'every_hours' | 'keep'>;

/** The result of one run. */
export interface ScheduledRun {
  nextAt: Date;
  error: string | null;
  pausedReason: string | null;
}

const COLUMNS = `s.deployment_id, s.cron, s.every_hours, s.keep, s.next_at, s.last_run_at, s.last_error, s.paused_reason, s.author_id,
  s.created_at, s.updated_at`;

const FIND = statement(
  'backup_schedule.find',
  `select ${COLUMNS} from backup_schedules s where s.deployment_id = $1 for update`,
);
const PUT = statement(
  'backup_schedule.put',
  `insert into backup_schedules as s (deployment_id, cron, every_hours, keep, next_at, author_id)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (deployment_id) do update
     set cron = excluded.cron, every_hours = excluded.every_hours, keep = excluded.keep, next_at = excluded.next_at,
         author_id = excluded.author_id, paused_reason = null, updated_at = now()
   returning ${COLUMNS}`,
);
const FIND_DUE = statement(
  'backup_schedule.find_due',
  `select s.deployment_id as id from backup_schedules s
     join deployment_runtimes r on r.deployment_id = s.deployment_id
    where r.cell = $1 and r.deleted_at is null and r.status <> 'deleting' and s.next_at <= now()
    order by s.next_at limit 20`,
);
const FIND_OLDEST = statement(
  'backup_schedule.oldest',
  `select b.id, count(*) over ()::int as total from backups b where b.deployment_id = $1 and b.by_schedule and b.status = 'completed' and b.expires_at > now() order by b.id limit 1`,
);
/** Schedules of backups. */
@Injectable()
export class BackupSchedulesRepository {
  constructor(private readonly database: Database) {}

  /** Locks the schedule until the transaction ends. The caller that changes it must have locked the deployment first. */
  async find(deploymentId: DeploymentId): Promise<BackupSchedule | null> {
    return this.database.first<BackupSchedule>(FIND, [deploymentId]);
  }

  /** Creates or replaces the schedule. */
  async put(
    deploymentId: DeploymentId,
    { cron, every_hours, keep }: ScheduleTerms,
    { nextAt, authorId }: { nextAt: Date; authorId: UserId | null },
  ): Promise<BackupSchedule> {
    const rows = await this.database.query<BackupSchedule>(PUT, [
      deploymentId,
      cron,
      every_hours,
      keep,
      nextAt,
      authorId,
    ]);
    return rows[0] as BackupSchedule;
  }

  async delete(deploymentId: DeploymentId): Promise<boolean> {
    const { affected } = await this.database.repository(BackupSchedule).delete({ deployment_id: deploymentId });
    return affected === 1;
  }

  /** Deployments of the cell whose schedules are due, those that have been due for the longest time first. */
  async findDue(cell: string): Promise<DeploymentId[]> {
    return (await this.database.query<{ id: DeploymentId }>(FIND_DUE, [cell])).map(({ id }) => id);
  }

  async record(deploymentId: DeploymentId, { nextAt, error, pausedReason }: ScheduledRun): Promise<void> {
    const changes = { next_at: nextAt, last_run_at: () => 'now()', last_error: error, paused_reason: pausedReason };
    await this.database.repository(BackupSchedule).update({ deployment_id: deploymentId }, changes);
  }

  /** The oldest completed backup that the schedule made, and how many there are. Null when there is none. */
  async oldest(deploymentId: DeploymentId): Promise<{ id: BackupId; total: number } | null> {
    return this.database.first<{ id: BackupId; total: number }>(FIND_OLDEST, [deploymentId]);
  }
}
