import { Injectable } from '@nestjs/common';
import { METRIC_NAMES, METRIC_STEP_SECONDS, METRICS, type DeploymentId } from '@libs/domain';
import { statement, Database } from '../../database.js';

const TABLES = ['node_heartbeats', 'node_metrics', 'node_metric_rollups', 'node_logs'] as const;
/** Maximum rows per table that one round deletes. */
const ROWS_A_ROUND = 5_000;
/** Reports in flight at the deletion of a deployment have arrived after this time. */
const SETTLED_SECONDS = 60;

const ENSURE = statement('telemetry.ensure_partitions', 'select ensure_telemetry_partitions()');
const DROP = statement('telemetry.drop_expired', 'select drop_expired_telemetry() as dropped');
const NAMES = METRIC_NAMES.join(', ');
const AGGREGATES = METRIC_NAMES.map((name) => `${METRICS[name].kind === 'gauge' ? 'avg' : 'max'}(${name})`).join(', ');
// Claims one hour, one hour after its end, when all its rows are written. Only the transaction with the row lock meters
// counters. The claim is a separate statement, because the following ones must see the writes of the previous lock holder.
// An hour of a large installation takes longer than the limit of all other statements, and could then never be rolled up.
const CLAIM = statement(
  'telemetry.claim_hour',
  `select rolled_up_to as hour, set_config('statement_timeout', '30min', true) from telemetry_rollup
    where rolled_up_to < date_trunc('hour', now()) - interval '1 hour' for update skip locked`,
);
const HOLD = statement('telemetry.hold', 'select 1 from telemetry_rollup for update');
// If an hour is rolled up again, its rows already exist.
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

/** A deleted deployment that may still have telemetry. */
export interface TelemetryLeft {
  id: DeploymentId;
  /** Whether no more telemetry can arrive. */
  isSettled: boolean;
}

/** Limits the growth of telemetry: partitions, roll-ups, and deletion of data of deleted deployments. */
@Injectable()
export class TelemetryCleanupRepository {
  constructor(private readonly database: Database) {}

  /** Creates the partitions of the next days. */
  async ensurePartitions(): Promise<void> {
    await this.database.query(ENSURE);
  }

  /** Drops the days past all retentions. Returns the names of their partitions. */
  async dropExpired(): Promise<string[]> {
    const [row] = await this.database.query<{ dropped: string[] }>(DROP);
    return row?.dropped ?? [];
  }

  /**
   * The start of the next hour to roll up. Locks it until the transaction ends. Null when all finished hours are rolled up, or
   * when another process has the lock. The statements of the transaction may then take half an hour.
   */
  async claimHour(): Promise<Date | null> {
    return (await this.database.first<{ hour: Date }>(CLAIM))?.hour ?? null;
  }

  /** Rolls up the claimed hour. */
  async rollUp(hour: Date): Promise<void> {
    await this.database.execute(ROLL_UP, [hour.toISOString()]);
  }

  /** Blocks roll-ups until the transaction ends. Waits for a running one. */
  async lock(): Promise<void> {
    await this.database.query(HOLD);
  }

  async left(cell: string): Promise<TelemetryLeft[]> {
    return this.database.query<TelemetryLeft>(LEFT, [cell]);
  }

  /** Deletes some thousand rows. Returns false when there were none. */
  async purge(deploymentId: DeploymentId): Promise<boolean> {
    let deleted = 0;
    for (const purge of PURGE) deleted += await this.database.execute(purge, [deploymentId]);
    return deleted > 0;
  }

  async markPurged(deploymentId: DeploymentId): Promise<void> {
    await this.database.execute(PURGED, [deploymentId]);
  }
}
