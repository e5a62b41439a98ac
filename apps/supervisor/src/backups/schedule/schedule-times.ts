import { createHash } from 'node:crypto';
import { CronExpressionParser, type CronExpression } from 'cron-parser';
import { canonicalCron, type DeploymentId } from '@libs/domain';
import type { ScheduleTerms } from '@libs/persistence/runtime';

const HOUR_MS = 3_600_000;
/** Schedules with one cron expression start over this time, so that not all deployments are backed up at once. */
const SPREAD_MS = 15 * 60_000;
/** Minutes, hours, days, months and days of the week. Without seconds, names of schedules, or random parts. */
const FIVE_FIELDS = /^[\dA-Za-z*,/-]+( [\dA-Za-z*,/-]+){4}$/;

/** Why a cron expression is not usable. Null: it is usable. */
export function cronFault(text: string): string | null {
  if (!FIVE_FIELDS.test(canonicalCron(text))) return 'must have five fields, without seconds';
  try {
    const cron = parse(text, new Date());
    cron.next();
    // Two minutes of one hour follow each other within an hour, and one minute comes once in an hour.
    return cron.fields.minute.values.length > 1 ? 'must leave at least an hour between two backups' : null;
  } catch (error) {
    const isDay = (error as Error).message.includes('day of month');
    return isDay ? 'must be a cron expression whose time comes' : 'must be a cron expression, such as 0 3 * * 1-5';
  }
}

/**
 * The first time of the schedule after `after`, in UTC. Each deployment has its own offset: within the period for
 * `every_hours`, and within a quarter of an hour for `cron`.
 */
export function nextRun({ cron, every_hours: everyHours }: ScheduleTerms, id: DeploymentId, after: Date): Date {
  if (cron === null) {
    const period = (everyHours ?? 1) * HOUR_MS;
    const offset = spreadOf(id, period);
    const periods = Math.floor((after.getTime() - offset) / period) + 1;
    return new Date(periods * period + offset);
  }
  const offset = spreadOf(id, SPREAD_MS);
  const named = parse(cron, new Date(after.getTime() - offset)).next();
  return new Date(named.getTime() + offset);
}

const parse = (text: string, currentDate: Date): CronExpression =>
  CronExpressionParser.parse(canonicalCron(text), { tz: 'UTC', currentDate });

/** Whole seconds from 0 to the range, equal for each call. */
function spreadOf(id: DeploymentId, rangeMs: number): number {
  const number = createHash('sha256').update(String(id)).digest().readUInt32BE();
  return (number % (rangeMs / 1000)) * 1000;
}
