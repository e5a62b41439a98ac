import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What nodes tell of themselves: heartbeats and metrics, one row a node and minute; log lines; spells of high usage.
 * All but the spells are partitioned by day, so that what nobody keeps any longer leaves as whole days.
 */
export class Telemetry1763683200023 implements MigrationInterface {
  name = 'Telemetry1763683200023';

  async up(runner: QueryRunner): Promise<void> {
    await this.createSamples(runner);
    await this.createLogs(runner);
    await runner.query(`
      create table node_alerts (
        node_id bigint not null references nodes on delete cascade,
        kind text not null check (kind in ('cpu', 'memory', 'disk')),
        above integer not null,
        since timestamptz,
        sampled_at timestamptz not null,
        primary key (node_id, kind)
      )`);
    await runner.query(`
      create table telemetry_rollup (
        is_only boolean primary key default true check (is_only),
        rolled_up_to timestamptz not null
      )`);
    await runner.query(`insert into telemetry_rollup (rolled_up_to) values (date_trunc('hour', now()))`);
    await runner.query('alter table deployment_runtimes add column telemetry_purged_at timestamptz');
    await runner.query(`
      create index deployment_runtimes_telemetry_left on deployment_runtimes (deployment_id)
       where deleted_at is not null and telemetry_purged_at is null`);
    await runner.query(ENSURE_PARTITIONS);
    await runner.query(DROP_EXPIRED);
    for (const name of ['ensure_telemetry_partitions()', 'drop_expired_telemetry()'])
      await runner.query(`revoke execute on function ${name} from public`);
    await runner.query('select ensure_telemetry_partitions()');
  }

  private async createSamples(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table node_heartbeats (
        deployment_id bigint not null,
        minute timestamptz not null,
        node_id bigint not null,
        beats integer not null,
        last_at timestamptz not null,
        status text not null,
        agent_version text,
        primary key (deployment_id, minute, node_id)
      ) partition by range (minute)`);
    for (const table of ['node_metrics', 'node_metric_rollups'])
      await runner.query(`
        create table ${table} (
          deployment_id bigint not null,
          node_id bigint not null,
          runtime text not null,
          minute timestamptz not null,
          ${COLUMNS},
          primary key (deployment_id, node_id, runtime, minute)
        ) partition by range (minute)`);
    // For the roll-up, which reads an hour of all nodes: rows lie in the order of time.
    await runner.query(
      'create index node_metrics_minute on node_metrics using brin (minute) with (pages_per_range = 32)',
    );
  }

  private async createLogs(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table node_logs (
        id bigint generated always as identity check (id <= 9007199254740991),
        deployment_id bigint not null,
        node_id bigint not null,
        at timestamptz not null,
        runtime text not null,
        level text not null,
        message text not null,
        primary key (deployment_id, at, id)
      ) partition by range (at)`);
    await runner.query('create index node_logs_tail on node_logs (deployment_id, id)');
    await runner.query('create index node_logs_node on node_logs (deployment_id, node_id, at, id)');
    // Of most lines the level is info; those are found by their time.
    await runner.query(`
      create index node_logs_level on node_logs (deployment_id, level, at, id) where level <> 'info'`);
    await runner.query(`
      create table node_log_cursors (
        node_id bigint primary key references nodes on delete cascade,
        cursor text not null,
        previous text,
        stored_at timestamptz not null default now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function drop_expired_telemetry, ensure_telemetry_partitions');
    await runner.query('alter table deployment_runtimes drop column telemetry_purged_at');
    await runner.query('drop table telemetry_rollup, node_alerts, node_log_cursors, node_logs');
    await runner.query('drop table node_metric_rollups, node_metrics, node_heartbeats');
  }
}

/** Those of this release; METRICS grows by a migration that adds a column. */
const COLUMNS = [
  ...[
    'cpu_percent',
    'memory_bytes',
    'disk_bytes',
    'messages',
    'streams',
    'topics',
    'partitions',
    'segments',
    'clients',
  ],
  ...['consumer_groups', 'messages_in', 'messages_out', 'bytes_in', 'bytes_out'],
]
  .map((name) => `${name} double precision`)
  .join(', ');

/**
 * Yesterday, for lines that were read late, today and three days ahead. A new partition needs the whole table for a
 * moment: while a long read holds it, days ahead are left to the next time, so that nobody who writes waits behind us.
 */
const ENSURE_PARTITIONS = `
create function ensure_telemetry_partitions() returns void language plpgsql security definer
set search_path = public set lock_timeout = '2s' as $$
declare
  parent text;
  partition text;
  day date;
begin
  perform pg_advisory_xact_lock(hashtext('landlord.ensure_telemetry_partitions'));
  for ahead in -1..3 loop
    day := (now() at time zone 'utc')::date + ahead;
    foreach parent in array array['node_heartbeats', 'node_metrics', 'node_metric_rollups', 'node_logs'] loop
      partition := parent || to_char(day, '_YYYY_MM_DD');
      continue when to_regclass(partition) is not null;
      begin
        execute format('create table %I partition of %I for values from (%L) to (%L)', partition, parent,
          day::timestamp at time zone 'utc', (day + 1)::timestamp at time zone 'utc');
      exception when lock_not_available then
        if ahead <= 0 then raise; end if;
        return;
      end;
    end loop;
  end loop;
end $$`;

/**
 * Drops the days that no deployment keeps any longer; raw metrics after two days, once they are rolled up. Answers the
 * names. The drop needs the whole table for a moment: it gives up after two seconds.
 */
const DROP_EXPIRED = `
create function drop_expired_telemetry() returns text[] language plpgsql security definer
set search_path = public set lock_timeout = '2s' as $$
declare
  longest int := coalesce((select max(telemetry_days) from deployments), 0);
  rolled_up timestamptz := (select rolled_up_to from telemetry_rollup);
  parent text;
  partition text;
  over timestamptz;
  dropped text[] := '{}';
begin
  perform pg_advisory_xact_lock(hashtext('landlord.ensure_telemetry_partitions'));
  foreach parent in array array['node_heartbeats', 'node_metrics', 'node_metric_rollups', 'node_logs'] loop
    for partition in select inhrelid::regclass::text from pg_inherits where inhparent = parent::regclass order by 1 loop
      over := (to_date(right(partition, 10), 'YYYY_MM_DD') + 1)::timestamp at time zone 'utc';
      continue when over > now() - make_interval(days => case parent when 'node_metrics' then 2 else greatest(longest, 2) end);
      continue when parent = 'node_metrics' and over > rolled_up;
      execute 'drop table ' || partition;
      dropped := dropped || partition;
    end loop;
  end loop;
  return dropped;
end $$`;
