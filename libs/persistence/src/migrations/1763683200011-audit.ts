import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What makes the audit an audit: nothing of it can be changed, every entry is sealed soon after its commit
 * (docs/decisions/0017-sealing-the-audit.md), and it can be counted and searched however large it is.
 */
export class Audit1763683200011 implements MigrationInterface {
  name = 'Audit1763683200011';

  async up(runner: QueryRunner): Promise<void> {
    await this.createSeals(runner);
    await runner.query(REFUSE_CHANGE);
    await runner.query(`
      create trigger audit_entries_append_only before update or delete on audit_entries
        for each row execute function refuse_audit_change()`);
    await runner.query(`
      create trigger audit_seals_append_only before update or delete on audit_seals
        for each row execute function refuse_audit_change()`);
    await runner.query(GUARD_FROM_TRUNCATE);
    await runner.query(`select guard_from_truncate('audit_seals')`);
    await runner.query(`select guard_from_truncate(relid) from pg_partition_tree('audit_entries')`);
    await runner.query(ENSURE_PARTITIONS);
    await runner.query(DROP_EXPIRED_PARTITIONS);
    for (const name of ['guard_from_truncate(regclass)', 'drop_expired_partitions()'])
      await runner.query(`revoke execute on function ${name} from public`);
    await this.createIndexes(runner);
  }

  private async createSeals(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table audit_unsealed (
        tenant_id bigint not null,
        id bigint not null,
        retention_class smallint not null,
        created_at timestamptz not null,
        type text not null,
        division_id bigint,
        primary key (tenant_id, id)
      )`);
    await runner.query(`
      create table audit_seals (
        tenant_id bigint not null,
        sequence bigint not null check (sequence between 1 and 9007199254740991),
        retention_class smallint not null,
        month date not null,
        first_at timestamptz not null,
        last_at timestamptz not null,
        entry_ids bigint[] not null,
        count integer not null,
        root_hash bytea not null,
        previous_hash bytea not null,
        hash bytea not null,
        sealed_at timestamptz not null default now(),
        primary key (tenant_id, sequence)
      )`);
    await runner.query(`
      create table audit_counters (
        tenant_id bigint not null,
        division_id bigint not null,
        day date not null,
        type text not null,
        retention_class smallint not null,
        entries bigint not null,
        primary key (tenant_id, division_id, day, type, retention_class)
      ) with (fillfactor = 80)`);
    await runner.query(`insert into audit_unsealed (${QUEUED}) select ${QUEUED} from audit_entries`);
    await runner.query(QUEUE_ENTRY);
    await runner.query(`
      create trigger audit_entries_unsealed after insert on audit_entries
        for each row execute function queue_audit_entry()`);
  }

  /**
   * Each serves one filter, newest first; entries without the value cost nothing in it. With the type, so that an author's
   * entries of some types are counted without a look at each; divisions and types are counted by the counters.
   */
  private async createIndexes(runner: QueryRunner): Promise<void> {
    for (const name of ['author', 'api_key', 'user', 'environment', 'deployment'])
      await runner.query(`
        create index audit_entries_${name} on audit_entries (tenant_id, ${name}_id, created_at desc, id desc)
          include (type) where ${name}_id is not null`);
    await runner.query(`
      create index audit_entries_division on audit_entries (tenant_id, division_id, created_at desc, id desc)
       where division_id is not null`);
    await runner.query(`create index audit_entries_type on audit_entries (tenant_id, type, created_at desc, id desc)`);
    await runner.query(`
      create index audit_entries_correlation on audit_entries (correlation_id) where correlation_id is not null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const names = ['author', 'api_key', 'user', 'division', 'environment', 'deployment', 'type', 'correlation'];
    await runner.query(`drop index ${names.map((name) => `audit_entries_${name}`).join(', ')}`);
    await runner.query('drop trigger audit_entries_unsealed on audit_entries');
    await runner.query('drop trigger audit_entries_append_only on audit_entries');
    await runner.query('drop table audit_counters, audit_seals, audit_unsealed');
    await runner.query('drop function drop_expired_partitions, queue_audit_entry');
    await runner.query('drop function refuse_audit_change, guard_from_truncate cascade');
  }
}

const QUEUED = 'tenant_id, id, retention_class, created_at, type, division_id';

/** A trigger is asked whoever is connected; an external PostgreSQL may have one role only, which owns the tables. */
const REFUSE_CHANGE = `
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: what is written there is never changed or deleted', tg_table_name
    using errcode = 'restrict_violation', hint = 'Whole partitions leave once their retention is over.';
end $$`;

/** PostgreSQL hands row triggers on to partitions, but not those of TRUNCATE: each partition needs its own. */
const GUARD_FROM_TRUNCATE = `
create function guard_from_truncate(name regclass) returns void language plpgsql set search_path = public as $$
begin
  execute format(
    'create trigger audit_not_truncated before truncate on %s for each statement execute function refuse_audit_change()',
    name);
end $$`;

/**
 * A trigger and not a part of the statement that records: apps of the release before, which know nothing of seals, fill the
 * queue as well. Security definer, for the same reason: their roles have no rights on it, and need none.
 */
const QUEUE_ENTRY = `
create function queue_audit_entry() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into audit_unsealed (${QUEUED})
  values (new.tenant_id, new.id, new.retention_class, new.created_at, new.type, new.division_id);
  return null;
end $$`;

/**
 * As before, with the guard that partitions do not inherit. A new partition needs the whole table for a moment: while a long
 * read holds it, months ahead are left to the next time, so that nobody who writes waits behind us.
 */
const ENSURE_PARTITIONS = `
create or replace function ensure_partitions() returns void language plpgsql security definer
set search_path = public set lock_timeout = '2s' as $$
declare
  parent text;
  partition text;
  month date;
begin
  perform pg_advisory_xact_lock(hashtext('landlord.ensure_partitions'));
  foreach parent in array array['audit_entries_7', 'audit_entries_90', 'audit_entries_365'] loop
    for ahead in 0..3 loop
      month := date_trunc('month', now() at time zone 'utc') + make_interval(months => ahead);
      partition := parent || to_char(month, '_YYYY_MM');
      continue when to_regclass(partition) is not null;
      begin
        execute format(
          'create table %I partition of %I for values from (%L) to (%L)', partition, parent,
          month::timestamp at time zone 'utc', (month + interval '1 month')::timestamp at time zone 'utc');
        perform guard_from_truncate(partition::regclass);
      exception when lock_not_available then
        if ahead = 0 then raise; end if;
        return;
      end;
    end loop;
  end loop;
end $$`;

/**
 * Drops the months of which nothing is within its retention any more, with what was counted in them, and answers their
 * names. A month with an entry that waits for its seal stays. The drop needs the whole table for a moment: it gives up
 * after two seconds, so that a long read holds up nobody who writes.
 */
const DROP_EXPIRED_PARTITIONS = `
create function drop_expired_partitions() returns text[] language plpgsql security definer
set search_path = public set lock_timeout = '2s' as $$
declare
  days int;
  partition text;
  month date;
  dropped text[] := '{}';
begin
  perform pg_advisory_xact_lock(hashtext('landlord.ensure_partitions'));
  foreach days in array array[7, 90, 365] loop
    for partition in
      select inhrelid::regclass::text from pg_inherits where inhparent = ('audit_entries_' || days)::regclass order by 1
    loop
      month := to_date(right(partition, 7), 'YYYY_MM');
      continue when (month + interval '1 month') at time zone 'utc' > now() - make_interval(days => days);
      continue when exists (
        select from audit_unsealed u where u.retention_class = days
           and u.created_at < (month + interval '1 month') at time zone 'utc');
      execute 'drop table ' || partition;
      delete from audit_counters c where c.retention_class = days and c.day >= month and c.day < month + interval '1 month';
      dropped := dropped || partition;
    end loop;
  end loop;
  return dropped;
end $$`;
