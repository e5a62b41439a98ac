import { Injectable } from '@nestjs/common';
import { requireFeature, requireWithin, type Entitlements } from '@libs/catalog';
import { DomainError, validationFailed, type FieldIssue, type Precondition } from '@libs/domain';
import { requireUnchanged, type ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import {
  BackupSchedulesRepository,
  RuntimesRepository,
  type BackupSchedule,
  type ScheduleTerms,
} from '@libs/persistence/runtime';
import { lockDeployment, requireAlive, TenantPlans } from '../../platform/index.js';
import { requireBackups } from '../require-backups.js';
import type { BackupScheduleDto } from '../dto/backup-schedule.dto.js';
import type { BackupScheduleView } from '../dto/backup-schedule.view.js';
import { cronFault, nextRun } from './schedule-times.js';

/** The schedules of backups, as requests see and change them. */
@Injectable()
export class BackupSchedulesService {
  constructor(
    private readonly schedules: BackupSchedulesRepository,
    private readonly runtimes: RuntimesRepository,
    private readonly plans: TenantPlans,
    private readonly ledger: Ledger,
  ) {}

  /** @throws DomainError backup_schedule_not_found */
  async get({ deployment }: ActingCaller): Promise<BackupScheduleView> {
    return toView(found(await this.schedules.find(deployment.id)));
  }

  /**
   * @throws DomainError validation_failed, precondition_failed, backup_not_supported, feature_unavailable,
   * plan_feature_required, plan_limit_reached, state_conflict
   */
  async put(actor: ActingCaller, dto: BackupScheduleDto, precondition: Precondition): Promise<BackupScheduleView> {
    const terms = termsOf(dto);
    const { id } = actor.deployment;
    requireAlive(await lockDeployment(this.runtimes, id));
    const facts = await this.runtimes.facts(id);
    if (!facts) throw new DomainError('deployment_not_found', 'No such deployment.');
    const stored = await this.schedules.find(id);
    precondition.require(stored ? toView(stored) : {});
    requireUnchanged(dto, stored ? toView(stored) : {}, LIVE_MEMBERS);
    requireBackups(facts);
    requireScheduled(await this.plans.of(actor.tenantId), terms.keep);
    if (stored && isSame(stored, terms) && stored.paused_reason === null) return toView(stored);
    const nextAt = nextRun(terms, id, new Date());
    const schedule = await this.schedules.put(id, terms, { nextAt, authorId: actor.caller.user.id });
    await this.record(actor, 'backup_schedule_set', { ...terms, previous: stored && pick(stored) });
    return toView(schedule);
  }

  /** @throws DomainError backup_schedule_not_found, precondition_failed */
  async delete(actor: ActingCaller, precondition: Precondition): Promise<void> {
    await lockDeployment(this.runtimes, actor.deployment.id);
    const stored = found(await this.schedules.find(actor.deployment.id));
    precondition.require(toView(stored));
    await this.schedules.delete(actor.deployment.id);
    await this.record(actor, 'backup_schedule_deleted', pick(stored));
  }

  private async record(
    { author, context, traceId }: ActingCaller,
    audit: 'backup_schedule_set' | 'backup_schedule_deleted',
    data: object,
  ): Promise<void> {
    await this.ledger.record({ audit, author, context, data, traceId });
  }
}

/** Members that change on their own, between the GET and the PUT of a client. */
const LIVE_MEMBERS = ['status', 'status_reason', 'next_at', 'last_run_at', 'last_error', 'updated_at'] as const;

/** The plan must include backups, and as many as the schedule keeps. @throws DomainError plan_feature_required, plan_limit_reached */
export function requireScheduled(entitlements: Entitlements, keep: number): void {
  requireFeature(entitlements, 'backup_enabled');
  requireWithin(entitlements, 'deployment_backups_limit', keep);
}

/** @throws DomainError validation_failed */
function termsOf({ cron = null, every_hours: everyHours = null, keep }: BackupScheduleDto): ScheduleTerms {
  const issues: FieldIssue[] = [];
  if ((cron === null) === (everyHours === null))
    issues.push({ path: '', code: 'exactly_one', reason: 'must have exactly one of `cron` and `every_hours`' });
  const fault = cron === null ? null : cronFault(cron);
  if (fault !== null) issues.push({ path: '/cron', code: 'cron', reason: fault });
  if (issues.length > 0) throw validationFailed(issues);
  return { cron, every_hours: everyHours, keep };
}

const pick = ({ cron, every_hours, keep }: ScheduleTerms): ScheduleTerms => ({ cron, every_hours, keep });

const isSame = (one: ScheduleTerms, other: ScheduleTerms): boolean =>
  one.cron === other.cron && one.every_hours === other.every_hours && one.keep === other.keep;

function found(schedule: BackupSchedule | null): BackupSchedule {
  if (!schedule) throw new DomainError('backup_schedule_not_found', 'The deployment has no schedule for backups.');
  return schedule;
}

const toView = (row: BackupSchedule): BackupScheduleView => ({
  cron: row.cron,
  every_hours: row.every_hours,
  keep: row.keep,
  status: row.paused_reason === null ? 'active' : 'paused',
  status_reason: row.paused_reason,
  next_at: row.next_at.toISOString(),
  last_run_at: row.last_run_at?.toISOString() ?? null,
  last_error: row.last_error,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
