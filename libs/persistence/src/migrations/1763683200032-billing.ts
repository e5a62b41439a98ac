import type { MigrationInterface, QueryRunner } from 'typeorm';

const METERED = ['metering_intervals', 'metering_transfers'] as const;

/**
 * What is charged and how it is told: transfer beside the intervals of shapes, the months whose books are closed, reports
 * with a line for each deployment, invoices over reports, and whom they are addressed to.
 */
export class Billing1763683200032 implements MigrationInterface {
  name = 'Billing1763683200032';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ROUND_HALF_EVEN);
    await this.createMetering(runner);
    await this.createReports(runner);
    await runner.query(`
      create table invoices (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        report_id bigint not null unique references billing_reports,
        tenant_id bigint not null,
        month date not null,
        status text not null check (status in ('draft', 'pending', 'paid', 'failed', 'cancelled')),
        number text unique check ((number is null) = (status = 'draft')),
        provider text check (provider in ('manual', 'card')),
        bill_to jsonb not null,
        issued_at timestamptz,
        due_at timestamptz,
        settled_at timestamptz,
        declines integer not null default 0,
        next_attempt_at timestamptz,
        failure text,
        created_at timestamptz not null default now(),
        unique (tenant_id, month)
      )`);
    await runner.query(`
      create index invoices_attempts on invoices (next_attempt_at, id) where next_attempt_at is not null`);
    await runner.query('create index invoices_month on invoices (month, id)');
    await runner.query(`
      create table billing_infos (
        tenant_id bigint primary key references tenants,
        company text,
        email text,
        address jsonb,
        tax_id text,
        purchase_order text,
        updated_at timestamptz not null default now()
      )`);
  }

  private async createMetering(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table billing_months (
        month date primary key check (extract(day from month) = 1),
        closed_at timestamptz not null default now(),
        settled_at timestamptz,
        invoices integer not null default 0
      )`);
    // What is before the first month that was metered, or before this release, is nobody's to charge.
    await runner.query(`
      insert into billing_months (month, settled_at)
      select date_trunc('month', coalesce(min(effective_at), now()) at time zone 'utc')::date - interval '1 month', now()
        from metering_intervals`);
    await runner.query(`
      create table metering_transfers (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        tenant_id bigint not null,
        deployment_id bigint not null,
        effective_at timestamptz not null,
        bytes bigint not null check (bytes > 0),
        usd_per_gb numeric(14, 6) not null,
        pricing_version text not null,
        metered_at timestamptz not null default now()
      )`);
    await runner.query(`
      create index metering_transfers_deployment on metering_transfers (deployment_id, effective_at) include (bytes, usd_per_gb)`);
    await runner.query(`
      create table transfer_marks (
        node_id bigint primary key,
        deployment_id bigint not null,
        minute timestamptz not null,
        bytes double precision not null
      )`);
    await runner.query('create index transfer_marks_deployment on transfer_marks (deployment_id)');
    await runner.query(MARK_WHAT_WAS_CARRIED);
    await runner.query(KEEP_BOOKS);
    for (const table of METERED) {
      await runner.query(`
        create trigger metering_unchanged before update or delete on ${table}
          for each row execute function refuse_audit_change()`);
      await runner.query(`
        create trigger metering_not_truncated before truncate on ${table}
          for each statement execute function refuse_audit_change()`);
      await runner.query(`
        create trigger keep_books before insert on ${table} for each row execute function keep_books()`);
    }
  }

  private async createReports(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table billing_reports (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        tenant_id bigint not null,
        month date not null,
        is_final boolean not null,
        drawn_at timestamptz not null default now(),
        unique (tenant_id, month)
      )`);
    await runner.query(`
      create table billing_report_lines (
        report_id bigint not null references billing_reports,
        deployment_id bigint not null,
        deployment_name text not null,
        deployment_code text not null,
        division_id bigint not null,
        division_name text not null,
        environment_id bigint not null,
        environment_name text not null,
        compute_hours numeric not null,
        storage_gb_hours numeric not null,
        transfer_gb numeric not null,
        compute_usd numeric(14, 2) not null,
        storage_usd numeric(14, 2) not null,
        transfer_usd numeric(14, 2) not null,
        periods jsonb not null,
        primary key (report_id, deployment_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table billing_infos, invoices, billing_report_lines, billing_reports');
    for (const name of ['keep_books', 'metering_unchanged', 'metering_not_truncated'])
      await runner.query(`drop trigger ${name} on metering_intervals`);
    await runner.query('drop table transfer_marks, metering_transfers, billing_months');
    await runner.query('drop function keep_books');
    await runner.query('drop function round_half_even');
  }
}

/** What nodes carried before this release is nobody's to charge: their counters are read on from where they stand. */
const MARK_WHAT_WAS_CARRIED = `
insert into transfer_marks (node_id, deployment_id, minute, bytes)
select n.id, n.deployment_id, l.minute, l.bytes
  from nodes n cross join lateral (
    select minute, bytes from (
      select minute, bytes_in + bytes_out as bytes from node_metrics
       where deployment_id = n.deployment_id and node_id = n.id and runtime = 'broker'
      union all
      select minute, bytes_in + bytes_out from node_metric_rollups
       where deployment_id = n.deployment_id and node_id = n.id and runtime = 'broker'
    ) told where bytes is not null order by minute desc limit 1
  ) l`;

/** PostgreSQL rounds a half away from zero; money is rounded to the even neighbour (C-25.9). */
const ROUND_HALF_EVEN = `
create function round_half_even(amount numeric, places int) returns numeric language sql immutable strict parallel safe as $$
  select case
    when abs(amount * 10::numeric ^ places) % 1 = 0.5 then round(2 * round(amount * 10::numeric ^ places / 2) / 10::numeric ^ places, places)
    else round(amount, places)
  end
$$`;

/**
 * What comes after the books of its month were closed is charged from the first moment that is open: a month that was
 * invoiced never changes. The shared lock names the race: whoever closes a month waits for all who are about to write
 * something of it, and sees what they wrote.
 */
const KEEP_BOOKS = `
create function keep_books() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('landlord.books', 0));
  new.effective_at := greatest(new.effective_at,
    (select (max(month) + interval '1 month')::timestamp at time zone 'utc' from billing_months));
  return new;
end $$`;
