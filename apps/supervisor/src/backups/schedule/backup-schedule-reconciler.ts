import { Inject, Injectable } from '@nestjs/common';
import { refusalOf, type DeploymentId, type DomainError } from '@libs/domain';
import { Database } from '@libs/persistence';
import {
  BackupSchedulesRepository,
  RuntimesRepository,
  type BackupSchedule,
  type DeploymentFacts,
} from '@libs/persistence/runtime';
import { Reconciler } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../../config.js';
import { askedByNobody, TenantPlans } from '../../platform/index.js';
import { BackupLedger } from '../backup-ledger.js';
import { BackupRequests } from '../backup-requests.js';
import { requireScheduled } from './backup-schedules.service.js';
import { ScheduleRoom } from './schedule-room.js';
import { nextRun } from './schedule-times.js';

const PERIOD_MS = 5_000;
/** Pause after a run that met another operation of the deployment. */
const RETRY_MS = 10 * 60_000;

/**
 * Takes the backups of schedules that are due. A schedule that was due several times, for example during an outage, runs
 * once. Safe in any number of processes: each run holds the lock of its deployment, as requests do, and looks again.
 */
@Injectable()
export class BackupScheduleReconciler extends Reconciler {
  private readonly cell: string;

  constructor(
    private readonly database: Database,
    private readonly schedules: BackupSchedulesRepository,
    private readonly runtimes: RuntimesRepository,
    private readonly requests: BackupRequests,
    private readonly plans: TenantPlans,
    private readonly room: ScheduleRoom,
    private readonly ledger: BackupLedger,
    @Inject(SUPERVISOR_CONFIG) config: SupervisorConfig,
  ) {
    super('BackupSchedules', PERIOD_MS);
    this.cell = config.SUPERVISOR_CELL;
  }

  protected async pass(stopping: AbortSignal): Promise<void> {
    for (const id of await this.schedules.findDue(this.cell)) {
      if (stopping.aborted) return;
      await this.database.transaction(() => this.run(id));
    }
  }

  private async run(id: DeploymentId): Promise<void> {
    const due = await this.lockDue(id);
    if (!due) return;
    const { facts, schedule } = due;
    const entitlements = await this.plans.of(facts.tenant_id);
    // A plan that does not allow the schedule pauses it. Everything else fails this run only.
    const pause = await refusalOf(() => requireScheduled(entitlements, schedule.keep));
    const limit = entitlements.limit('deployment_backups_limit');
    const refusal = pause ?? (await refusalOf(() => this.database.savepoint(() => this.take(facts, schedule, limit))));
    await this.schedules.record(id, {
      nextAt: nextAfter(schedule, refusal),
      error: refusal?.detail ?? null,
      pausedReason: pause?.detail ?? null,
    });
    if (refusal && !isToBeRetried(refusal) && schedule.paused_reason === null)
      await this.ledger.scheduleFailed(facts, schedule, refusal.detail, askedByNobody().traceId);
  }

  /** Null when another process has run the schedule, or the deployment or the schedule is gone. */
  private async lockDue(id: DeploymentId): Promise<{ facts: DeploymentFacts; schedule: BackupSchedule } | null> {
    const status = await this.runtimes.findStatusForUpdate(id);
    if (status === null || status === 'deleting') return null;
    const [facts, schedule] = [await this.runtimes.facts(id), await this.schedules.find(id)];
    return facts && schedule && schedule.next_at <= new Date() ? { facts, schedule } : null;
  }

  private async take(facts: DeploymentFacts, schedule: BackupSchedule, limit: number): Promise<void> {
    await this.room.make(facts, schedule, limit);
    await this.requests.take({
      ...{
        deploymentId: facts.id,
        name: nameNow(),
        type: 'scheduled',
        nodeId: null,
        remarks: null,
        isBySchedule: true,
      },
      ...{ ...askedByNobody(), authorId: schedule.author_id },
    });
  }
}

/** `scheduled-20261123-0300`, UTC. */
const nameNow = (): string =>
  `scheduled-${new Date().toISOString().slice(0, 16).replace(/[-:]/g, '').replace('T', '-')}`;

/** Another operation runs, or the deployment does not serve yet. */
const isToBeRetried = ({ code }: DomainError): boolean => code === 'state_conflict';

function nextAfter(schedule: BackupSchedule, refusal: DomainError | null): Date {
  const now = new Date();
  const regular = nextRun(schedule, schedule.deployment_id, now);
  const retry = new Date(now.getTime() + RETRY_MS);
  return refusal && isToBeRetried(refusal) && retry < regular ? retry : regular;
}
