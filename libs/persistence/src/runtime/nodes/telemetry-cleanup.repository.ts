import { METRIC_NAMES, METRIC_STEP_SECONDS, METRICS } from '@libs/domain';
import { statement, type Database } from '../../database.js';

const TABLES = ['node_heartbeats', 'node_metrics', 'node_metric_rollups', 'node_logs'] as const;
/** Rows of each table that one round deletes. */
const ROWS_A_ROUND = 5_000;
/** What is on its way when a deployment is deleted has arrived after so many seconds. */
const SETTLED_SECONDS = 60;

const ENSURE = statement('telemetry.ensure_partitions', 'select ensure_telemetry_partitions()');
const DROP = statement('telemetry.drop_expired', 'select drop_expired_telemetry() as dropped');
const NAMES = METRIC_NAMES.join(', ');
const AGGREGATES = METRIC_NAMES.map((name) => `${METRICS[name].kind === 'gauge' ? 'avg' : 'max'}(${name})`).join(', ');
// One hour, an hour after its end, when all that is written of it is written. Whoever holds the row is the only one to read
// counters on. It is taken by a statement of its own: those that follow must see what the one before us has written.
const CLAIM = statement(
  'telemetry.claim_hour',
  `select rolled_up_to as hour from telemetry_rollup
    where rolled_up_to < date_trunc('hour', now()) - interval '1 hour' for update skip locked`,
);
const HOLD = statement('telemetry.hold', 'select 1 from telemetry_rollup for update');
// An hour that is rolled up a second time finds its rows there.
const ROLL_UP = statement(
  'telemetry.roll_up',
  `with rolled as (
     insert into node_metric_rollups (deployment_id, node_id, runtime, minute, ${NAMES})
     select deployment_id, node_id, runtime, date_bin('${METRIC_STEP_SECONDS.rolledUp} seconds', minute, 'epoch'), ${AGGREGATES}
       from node_metrics
      where minute >= $1::timestamptz and minute < $1::timestamptz + interval '1 hour'
      group by 1, 2, 3, 4
     on conflict (deployment_id, node_id, runtime, minute) do nothing
   )
   update telemetry_rollup set rolled_up_to = $1::timestamptz + interval '1 hour'`,
);
const LEFT = statement(
  'telemetry.left',
  `select deployment_id as id, deleted_at < now() - make_interval(secs => ${SETTLED_SECONDS}) as "isSettled"
     from deployment_runtimes where cell = $1 and deleted_at is not null and telemetry_purged_at is null
    order by deployment_id limit 20`,
);
const PURGE = TABLES.map((table) =>
  statement(
    `telemetry.purge_${table}`,
    `delete from ${table} t using (select tableoid, ctid from ${table} where deployment_id = $1 limit ${ROWS_A_ROUND}) gone
      where t.tableoid = gone.tableoid and t.ctid = gone.ctid`,
  ),
);
const PURGED = statement(
  'telemetry.purged',
  'update deployment_runtimes set telemetry_purged_at = now() where deployment_id = $1 and deleted_at is not null',
);

/** A deleted deployment of which telemetry may be left. */
export interface TelemetryLeft {
  id: number;
  /** Whether nothing more of it can come. */
  isSettled: boolean;
}

/** What keeps telemetry from growing: partitions, roll-ups, and the end of what was deleted. */
export class TelemetryCleanupRepository {
  constructor(private readonly database: Database) {}

  /** Makes the partitions of the days ahead. */
  async ensurePartitions(): Promise<void> {
    await this.database.query(ENSURE);
  }

  /** Drops the days that nobody keeps any longer; answers the names of their partitions. */
  async dropExpired(): Promise<string[]> {
    const [row] = await this.database.query<{ dropped: string[] }>(DROP);
    return row?.dropped ?? [];
  }

  /**
   * The first instant of the next hour that is to be rolled up, held until the transaction ends; null when all that is over
   * is rolled up, or somebody else is at it.
   */
  async claimHour(): Promise<Date | null> {
    const [row] = await this.database.query<{ hour: Date }>(CLAIM);
    return row?.hour ?? null;
  }

  /** Rolls up the hour that was claimed. */
  async rollUp(hour: Date): Promise<void> {
    await this.database.execute(ROLL_UP, [hour.toISOString()]);
  }

  /** Until the transaction ends nobody rolls up; waits for whoever does. */
  async hold(): Promise<void> {
    await this.database.query(HOLD);
  }

  async left(cell: string): Promise<TelemetryLeft[]> {
    return this.database.query<TelemetryLeft>(LEFT, [cell]);
  }

  /** Deletes some thousand rows; false when none were left. */
  async purge(deploymentId: number): Promise<boolean> {
    let deleted = 0;
    for (const purge of PURGE) deleted += await this.database.execute(purge, [deploymentId]);
    return deleted > 0;
  }

  async markPurged(deploymentId: number): Promise<void> {
    await this.database.execute(PURGED, [deploymentId]);
  }
}
