import type {
  AuditEntryId,
  DeploymentId,
  DivisionId,
  EnvironmentId,
  ListPosition,
  TenantId,
  UserId,
} from '@libs/domain';
import type { Statement } from '../database.js';
import { byTime } from '../page-of.js';

/** Selects entries of a tenant. Missing members do not filter. */
export interface AuditFilter {
  tenantId: TenantId;
  /** Inclusive. Never older than the tenant's retention. */
  since: Date;
  /** Exclusive. */
  until: Date;
  types?: readonly string[] | undefined;
  author?: UserId | undefined;
  api_key?: number | undefined;
  user?: UserId | undefined;
  division?: DivisionId | undefined;
  environment?: EnvironmentId | undefined;
  deployment?: DeploymentId | undefined;
  /** UUID, in any spelling that PostgreSQL accepts. */
  correlationId?: string | undefined;
  /** Only entries of this division, in addition to the other filters. */
  scope?: DivisionId | undefined;
}

/** A statement for one filter, with its values. */
export interface AuditSearch {
  statement: Statement;
  values: unknown[];
}

/** The last entry that was read, for the entries after it. */
export interface AuditCursor {
  /** The timestamp as PostgreSQL writes it, with microseconds. */
  createdAt: string;
  id: AuditEntryId;
}

const COLUMNS = `id, created_at, type, author_id, author_name, api_key_id, api_key_name, user_id, user_name, division_id,
  division_name, environment_id, environment_name, deployment_id, deployment_name, data, correlation_id`;
/** The order of the entries. */
const KEY = byTime('created_at');
export const AUDIT_ORDER = { keys: { created_at: KEY }, usual: '-created_at' };
const WITH_CURSOR = `${COLUMNS}, ${KEY.value} as cursor_value, id as cursor_id`;
const ID_FILTERS = ['author', 'api_key', 'user', 'division', 'environment', 'deployment'] as const;
const DAY_MS = 86_400_000;

/**
 * The statement has no name, so that PostgreSQL plans it for its values. The right plan for an author with ten entries is wrong
 * for one with a million. The plan also excludes partitions outside the requested time.
 */
const search = (text: string, values: unknown[]): AuditSearch => ({ statement: { name: '', text }, values });

/** Collects the values of a statement and returns their placeholders. */
class Values {
  readonly all: unknown[] = [];

  place(value: unknown): string {
    this.all.push(value);
    return `$${this.all.length}`;
  }
}

/**
 * One page. `backwards` counts from the oldest entry and returns the oldest first. An index-only scan skips the entries before
 * the page.
 */
export function pageSearch(filter: AuditFilter, limit: number, offset: number, backwards: boolean): AuditSearch {
  const values = new Values();
  const [direction, onwards] = backwards ? ['asc', '>='] : ['desc', '<='];
  const where = conditions(filter, values);
  const order = `order by created_at ${direction}, id ${direction}`;
  const page = `limit ${values.place(limit)}`;
  if (offset === 0)
    return search(`select ${WITH_CURSOR} from audit_entries where ${where} ${order} ${page}`, values.all);
  const text = `with edge as materialized (
      select created_at, id from audit_entries where ${where} ${order} limit 1 offset ${values.place(offset)})
    select ${WITH_CURSOR} from audit_entries
     where ${where} and (created_at, id) ${onwards} ((select created_at from edge), (select id from edge)) ${order} ${page}`;
  return search(text, values.all);
}

/** The entries after a position, newest first. */
export function olderSearch(filter: AuditFilter, { value, id }: ListPosition, limit: number): AuditSearch {
  const values = new Values();
  const where = conditions(filter, values);
  const older = `(created_at, id) < (${KEY.parameter(values.place(value))}, ${values.place(id)}::bigint)`;
  const text = `select ${WITH_CURSOR} from audit_entries where ${where} and ${older}
    order by created_at desc, id desc limit ${values.place(limit)}`;
  return search(text, values.all);
}

/** Entries after the cursor, oldest first. Includes the text of each timestamp for the next cursor. */
export function nextSearch(filter: AuditFilter, after: AuditCursor | null, limit: number): AuditSearch {
  const values = new Values();
  const where = conditions(filter, values);
  const later = after
    ? ` and (created_at, id) > (${values.place(after.createdAt)}::timestamptz, ${values.place(after.id)}::bigint)`
    : '';
  const text = `select ${COLUMNS}, created_at::text as moment from audit_entries where ${where}${later}
    order by created_at, id limit ${values.place(limit)}`;
  return search(text, values.all);
}

/** The number of entries, as `count`. */
export const countSearch = (filter: AuditFilter): AuditSearch =>
  isCounted(filter) ? byCounters(filter) : byIndex(filter);

/** Whether the counters can compute the number. They distinguish only days, types and divisions. */
const isCounted = ({ author, api_key, user, environment, deployment, correlationId }: AuditFilter): boolean =>
  [author, api_key, user, environment, deployment, correlationId].every((value) => value === undefined);

function byIndex(filter: AuditFilter): AuditSearch {
  const values = new Values();
  return search(`select count(*)::int as count from audit_entries where ${conditions(filter, values)}`, values.all);
}

/** Counts whole days from the counters and the queue in one snapshot, and the first and last day entry by entry. */
function byCounters(filter: AuditFilter): AuditSearch {
  const firstDay = Math.ceil(filter.since.getTime() / DAY_MS) * DAY_MS;
  const lastDay = Math.floor(filter.until.getTime() / DAY_MS) * DAY_MS;
  if (firstDay >= lastDay) return byIndex(filter);
  const [first, last] = [new Date(firstDay), new Date(lastDay)];
  const values = new Values();
  const [day, nextDay] = [first, last].map((date) => values.place(date.toISOString().slice(0, 10)));
  const tenant = values.place(filter.tenantId);
  const edges = [
    { ...filter, until: first },
    { ...filter, since: last },
  ].filter(({ since, until }) => since < until && since.getTime() < Date.now());
  const parts = [
    `select coalesce(sum(entries), 0) from audit_counters where tenant_id = ${tenant} and day >= ${day}::date
        and day < ${nextDay}::date${counted(filter, values)}`,
    `select count(*) from audit_unsealed where ${conditions({ ...filter, since: first, until: last }, values)}`,
    ...edges.map((edge) => `select count(*) from audit_entries where ${conditions(edge, values)}`),
  ];
  return search(`select (${parts.map((part) => `(${part})`).join(' + ')})::int as count`, values.all);
}

/** Division 0 stands for the whole tenant. */
function counted({ types, division, scope }: AuditFilter, values: Values): string {
  const divisions = [division, scope].filter((id) => id !== undefined);
  const clauses = (divisions.length > 0 ? divisions : [0]).map((id) => `division_id = ${values.place(id)}::bigint`);
  if (types) clauses.push(`type = any(${values.place(types)}::text[])`);
  return clauses.map((condition) => ` and ${condition}`).join('');
}

function conditions(filter: AuditFilter, values: Values): string {
  const clauses = [
    `tenant_id = ${values.place(filter.tenantId)}::bigint`,
    `created_at >= ${values.place(filter.since)}::timestamptz`,
    `created_at < ${values.place(filter.until)}::timestamptz`,
  ];
  for (const name of ID_FILTERS)
    if (filter[name] !== undefined) clauses.push(`${name}_id = ${values.place(filter[name])}::bigint`);
  if (filter.scope !== undefined) clauses.push(`division_id = ${values.place(filter.scope)}::bigint`);
  if (filter.types) clauses.push(`type = any(${values.place(filter.types)}::text[])`);
  if (filter.correlationId !== undefined) clauses.push(`correlation_id = ${values.place(filter.correlationId)}::uuid`);
  return clauses.join(' and ');
}
