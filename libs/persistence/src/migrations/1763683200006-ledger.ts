import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Audit, outbox and metering. Audit is partitioned by retention class and below that by month, so that what is past
 * its retention leaves as whole partitions; `ensure_partitions` keeps three months ahead of the clock.
 */
export class Ledger1763683200006 implements MigrationInterface {
  name = 'Ledger1763683200006';

  async up(runner: QueryRunner): Promise<void> {
    await this.createAudit(runner);
    await runner.query(`
      create table outbox (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        event_key text not null unique,
        type text not null,
        tenant_id bigint not null,
        division_id bigint,
        environment_id bigint,
        deployment_id bigint,
        subject text not null,
        data jsonb not null default '{}',
        trace_id text not null,
        created_at timestamptz not null default now(),
        dispatched_at timestamptz
      )`);
    await runner.query(`create index outbox_waiting on outbox (id) where dispatched_at is null`);
    await runner.query(`
      create table metering_intervals (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        event_key text not null unique,
        tenant_id bigint not null,
        deployment_id bigint not null,
        effective_at timestamptz not null default now(),
        shape jsonb,
        monthly_compute_usd numeric(14, 2) not null,
        monthly_storage_usd numeric(14, 2) not null,
        pricing_version text not null
      )`);
    await runner.query(
      `create index metering_intervals_deployment on metering_intervals (deployment_id, effective_at, id)`,
    );
  }

  private async createAudit(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table audit_entries (
        id bigint generated always as identity check (id <= 9007199254740991),
        retention_class smallint not null,
        created_at timestamptz not null default now(),
        tenant_id bigint not null,
        type text not null,
        author_id bigint,
        author_name text,
        api_key_id bigint,
        api_key_name text,
        user_id bigint,
        user_name text,
        division_id bigint,
        division_name text,
        environment_id bigint,
        environment_name text,
        deployment_id bigint,
        deployment_name text,
        data jsonb,
        correlation_id uuid,
        primary key (retention_class, created_at, id)
      ) partition by list (retention_class)`);
    await runner.query(`create index audit_entries_tenant on audit_entries (tenant_id, created_at desc, id desc)`);
    for (const days of [7, 90, 365])
      await runner.query(
        `create table audit_entries_${days} partition of audit_entries for values in (${days}) partition by range (created_at)`,
      );
    await runner.query(ENSURE_PARTITIONS);
    await runner.query('select ensure_partitions()');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table metering_intervals, outbox, audit_entries');
    await runner.query('drop function ensure_partitions');
  }
}

/** Security definer: the apps may have partitions made, but may make no other table. */
const ENSURE_PARTITIONS = `
create function ensure_partitions() returns void language plpgsql security definer set search_path = public as $$
declare
  parent text;
  month date;
begin
  perform pg_advisory_xact_lock(hashtext('landlord.ensure_partitions'));
  foreach parent in array array['audit_entries_7', 'audit_entries_90', 'audit_entries_365'] loop
    for ahead in 0..3 loop
      month := date_trunc('month', now() at time zone 'utc') + make_interval(months => ahead);
      execute format(
        'create table if not exists %I partition of %I for values from (%L) to (%L)',
        parent || to_char(month, '_YYYY_MM'), parent,
        month::timestamp at time zone 'utc', (month + interval '1 month')::timestamp at time zone 'utc');
    end loop;
  end loop;
end $$`;
