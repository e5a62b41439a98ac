import { Injectable } from '@nestjs/common';
import type { LogLine, DeploymentId, LogLineId, NodeId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import { byTime, pagedFor, readPage, type PagedStatements, type PageOf, type PageRequest } from '../../page-of.js';
import { KEPT_SINCE } from './telemetry.repository.js';
import type { NodeLog } from './entities/node-log.entity.js';

export type LogRow = Pick<NodeLog, 'id' | 'node_id' | 'at' | 'runtime' | 'level' | 'message'>;

/** Log lines of a node, between two cursors of its agent. */
export interface NodeLogBatch {
  nodeId: NodeId;
  after: string | null;
  cursor: string;
  lines: LogLine[];
}

/** The result of storing a batch. */
export interface StoredBatch {
  nodeId: NodeId;
  /** The cursor of the last stored line of the node. */
  cursor: string | null;
  /** Bytes per node and day in the plan of the deployment. */
  limitBytes: number;
  /** Number of dropped lines of this batch. */
  leftOut: number;
  /** Number of dropped lines on the last day with lines from the node. Only set in the first batch after that day. */
  leftOutBefore: number;
  /** That day, `YYYY-MM-DD`. */
  dayBefore: string;
}

/** Selects lines. */
export interface LogFilter {
  deploymentId: DeploymentId;
  from: Date;
  to: Date;
  node?: NodeId | undefined;
  runtime?: string | undefined;
  level?: string | undefined;
  /** Substring of the message, case-insensitive. */
  message?: string | undefined;
}

/** The position of a stream reader. */
export interface LogPosition {
  deploymentId: DeploymentId;
  id: LogLineId;
}

/** A line and the stream that it belongs to. */
export interface TailRow extends LogRow {
  /** Index of the requested position. */
  stream: number;
}

/** Maximum number of lines per stream and poll. */
const TAIL_ROWS = 500;

// Ids are assigned before the commit, so with two writers a smaller id can appear after a larger one. The lock lasts until the
// transaction ends. So ids become visible in order, and a reader that remembers the last id misses none.
const IN_ORDER = statement(
  'node_log.in_order',
  `select pg_advisory_xact_lock(hashtextextended('landlord.node_logs', 0))`,
);
// Compare-and-set: accepts a batch only if it starts where the node's last batch ended. The clock of a node is not trusted:
// timestamps are limited to the range from yesterday to now. The batch that reaches the limit of the day is stored completely.
// Lines of later batches are dropped, but the cursor advances, so the node does not send them again. IN_ORDER keeps other
// transactions from changing the byte count of the day.
const STORE = statement(
  'node_log.store',
  `with batch as materialized (
     select b.*, n.deployment_id, today.day, ($11::jsonb ->> t.plan)::bigint as limit_bytes,
            case when c.day = today.day then c.day_bytes else 0 end as used_bytes,
            case when c.day = today.day then c.day_left_out else 0 end as left_out,
            case when c.day < today.day then c.day_left_out else 0 end as left_out_before, c.day as day_before
       from unnest($1::bigint[], $2::text[], $3::text[], $9::bigint[], $10::bigint[]) as b(node_id, after, cursor, bytes, lines)
      cross join (select (now() at time zone 'utc')::date as day) today
       join nodes n on n.id = b.node_id and n.status <> 'deleting'
       join deployments d on d.id = n.deployment_id
       join tenants t on t.id = d.tenant_id
       left join node_log_cursors c on c.node_id = b.node_id
      order by b.node_id
   ), judged as (
     select *, used_bytes < limit_bytes as fits from batch
   ), taken as (
     insert into node_log_cursors as c (node_id, cursor, previous, day, day_bytes, day_left_out)
     select node_id, cursor, after, day, used_bytes + case when fits then bytes else 0 end,
            left_out + case when fits then 0 else lines end
       from judged
     on conflict (node_id) do update
        set cursor = excluded.cursor, previous = excluded.previous, stored_at = now(), day = excluded.day,
            day_bytes = excluded.day_bytes, day_left_out = excluded.day_left_out
      where c.cursor = excluded.previous
     returning c.node_id
   ), stored as (
     insert into node_logs (deployment_id, node_id, at, runtime, level, message)
     select b.deployment_id, l.node_id, greatest(least(to_timestamp(l.at / 1000), now()), date_trunc('day', now(), 'utc') - interval '1 day'),
            l.runtime, l.level, l.message
       from unnest($4::bigint[], $5::float8[], $6::text[], $7::text[], $8::text[]) with ordinality
         as l(node_id, at, runtime, level, message, place)
       join taken t on t.node_id = l.node_id join judged b on b.node_id = l.node_id and b.fits
      order by l.place
   )
   select b.node_id as "nodeId", case when t.node_id is null then c.cursor else b.cursor end as cursor,
          b.limit_bytes as "limitBytes", case when t.node_id is null or b.fits then 0 else b.lines end as "leftOut",
          case when t.node_id is null then 0 else b.left_out_before end as "leftOutBefore",
          to_char(b.day_before, 'YYYY-MM-DD') as "dayBefore"
     from judged b left join taken t on t.node_id = b.node_id left join node_log_cursors c on c.node_id = b.node_id`,
);
const NOTE = statement(
  'node_log.note',
  `insert into node_logs (deployment_id, node_id, at, runtime, level, message)
   select n.deployment_id, n.id, now(), 'agent', 'warn', $2 from nodes n
    where n.id = $1 and n.status <> 'deleting'
      and not exists (select from node_logs l
                       where l.deployment_id = n.deployment_id and l.node_id = n.id and l.runtime = 'agent' and l.message = $2
                         and l.at >= date_trunc('day', now(), 'utc'))`,
);
const LAST = statement(
  'node_log.last',
  'select coalesce(max(id), 0)::bigint as id from node_logs where deployment_id = $1',
);
// Lines arrive within a day of their timestamp, so lines after a position are in the partitions of the last days.
const AFTER = statement(
  'node_log.after',
  `select (s.place - 1)::int as stream, l.*
     from unnest($1::bigint[], $2::bigint[]) with ordinality as s(deployment_id, id, place)
    cross join lateral (
      select l.id, l.node_id, l.at, l.runtime, l.level, l.message from node_logs l
       where l.deployment_id = s.deployment_id and l.id > s.id and l.at >= date_trunc('day', now(), 'utc') - interval '2 days'
       order by l.id limit ${TAIL_ROWS}) l
    order by s.place, l.id`,
);

/** Log lines of nodes. */
@Injectable()
export class NodeLogsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Stores the batches that start where the last batch of their node ended. Run it in a transaction, with at most one batch per
   * node. Deleted nodes are missing in the result. `dailyBytes`: the limit per node and day, by plan of the tenant.
   */
  async storeUnscoped(
    batches: readonly NodeLogBatch[],
    dailyBytes: Readonly<Record<string, number>>,
  ): Promise<StoredBatch[]> {
    await this.database.query(IN_ORDER);
    const lines = batches.flatMap(({ nodeId, lines: batchLines }) => batchLines.map((line) => ({ ...line, nodeId })));
    return this.database.query<StoredBatch>(STORE, [
      batches.map(({ nodeId }) => nodeId),
      batches.map(({ after }) => after),
      batches.map(({ cursor }) => cursor),
      lines.map(({ nodeId }) => nodeId),
      lines.map(({ at }) => at),
      lines.map(({ runtime }) => runtime),
      lines.map(({ level }) => level),
      lines.map(({ message }) => message),
      batches.map(({ lines: batchLines }) =>
        batchLines.reduce((sum, { message }) => sum + Buffer.byteLength(message), 0),
      ),
      batches.map(({ lines: batchLines }) => batchLines.length),
      JSON.stringify(dailyBytes),
    ]);
  }

  /**
   * Adds a line of Landlord itself to the log of a node, once a day. Run it in a transaction. Returns false when the line
   * already exists.
   */
  async note(nodeId: NodeId, message: string): Promise<boolean> {
    await this.database.query(IN_ORDER);
    return (await this.database.execute(NOTE, [nodeId, message])) > 0;
  }

  /** One page, newest first, with the exact number of lines in all pages. */
  async page(filter: LogFilter, request: PageRequest): Promise<PageOf<LogRow>> {
    const { list, values } = searchOf(filter);
    return readPage<LogRow>(this.database, list, values, request);
  }

  /** Id of the newest line of the deployment. 0 without lines. */
  async last(deploymentId: DeploymentId): Promise<LogLineId> {
    const [row] = await this.database.query<{ id: LogLineId }>(LAST, [deploymentId]);
    return row?.id ?? 0;
  }

  /** Lines after each position, oldest first, up to 500 per position. */
  async after(positions: readonly LogPosition[]): Promise<TailRow[]> {
    return this.database.query<TailRow>(AFTER, [
      positions.map(({ deploymentId }) => deploymentId),
      positions.map(({ id }) => id),
    ]);
  }
}

/** The statements of a list for its filters. The values are those of the filters. */
export interface LogSearch {
  list: PagedStatements;
  values: unknown[];
}

export function searchOf(filter: LogFilter): LogSearch {
  const { text, values } = conditions(filter);
  const list = pagedFor({
    columns: 'id, node_id, at, runtime, level, message',
    rows: `from node_logs where ${text}`,
    isLarge: true,
    id: 'id',
    keys: { at: byTime('at') },
    usual: '-at',
  });
  return { list, values };
}

function conditions({ deploymentId, from, to, node, runtime, level, message }: LogFilter) {
  const values: unknown[] = [deploymentId, from.toISOString(), to.toISOString()];
  const clauses = ['deployment_id = $1', 'at >= $2::timestamptz', 'at < $3::timestamptz', `at >= ${KEPT_SINCE}`];
  const filters: [unknown, (place: string) => string][] = [
    [node, (place) => `node_id = ${place}::bigint`],
    [runtime, (place) => `runtime = ${place}`],
    [level, (place) => `level = ${place}`],
    // The partial index of levels excludes the most common level. The extra condition lets the planner use that index.
    [level === 'info' ? undefined : level, () => `level <> 'info'`],
    [message, (place) => `position(lower(${place}) in lower(message)) > 0`],
  ];
  for (const [value, condition] of filters) {
    if (value === undefined) continue;
    const text = condition(`$${values.length + 1}`);
    if (text.includes('$')) values.push(value);
    clauses.push(text);
  }
  return { text: clauses.join(' and '), values };
}
