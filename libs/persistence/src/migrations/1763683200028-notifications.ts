import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Channels and their subscriptions, and what is delivered by them. A lane is the changing part of a channel: who delivers
 * now, how far its events are numbered, when it is due; apart from the channel, because it is written with each delivery.
 */
export class Notifications1763683200028 implements MigrationInterface {
  name = 'Notifications1763683200028';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table outbox
        add column message_id uuid not null default gen_random_uuid(),
        add column division_name text,
        add column environment_name text,
        add column deployment_name text`);
    // For forgetting what was handed on long ago.
    await runner.query('create index outbox_dispatched on outbox (dispatched_at) where dispatched_at is not null');
    await this.createChannels(runner);
    await this.createDeliveries(runner);
    await runner.query(ENSURE_PARTITIONS);
    await runner.query(DROP_EXPIRED);
    for (const name of ['ensure_notification_partitions()', 'drop_expired_notifications()'])
      await runner.query(`revoke execute on function ${name} from public`);
    await runner.query('select ensure_notification_partitions()');
  }

  private async createChannels(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table notification_channels (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        tenant_id bigint not null references tenants,
        division_id bigint references divisions,
        channel text not null check (channel in ('slack', 'webhook', 'email')),
        name text not null,
        enabled boolean not null default true,
        destination text not null default '',
        settings text,
        secret text,
        previous_secret text,
        previous_until timestamptz,
        remarks text,
        tested_at timestamptz,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      )`);
    // Of one owner: a division never learns by a refusal how the channels of others are called.
    await runner.query(`
      create unique index notification_channels_name
        on notification_channels (tenant_id, coalesce(division_id, 0), lower(name))`);
    await runner.query('create index notification_channels_tenant on notification_channels (tenant_id, id desc)');
    await runner.query(`
      create table notification_subscriptions (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        tenant_id bigint not null references tenants,
        channel_id bigint not null references notification_channels on delete cascade,
        message_types text[] not null check (cardinality(message_types) > 0),
        scope_tenant_ids bigint[] not null default '{}',
        scope_division_ids bigint[] not null default '{}',
        scope_environment_ids bigint[] not null default '{}',
        scope_deployment_ids bigint[] not null default '{}',
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      )`);
    await runner.query(
      'create index notification_subscriptions_channel on notification_subscriptions (channel_id, id desc)',
    );
    await runner.query('create index notification_subscriptions_tenant on notification_subscriptions (tenant_id)');
    await runner.query(`
      create table notification_lanes (
        channel_id bigint primary key references notification_channels on delete cascade,
        last_sequence bigint not null default 0,
        signal_seq bigint not null default 0,
        due_at timestamptz,
        leased_until timestamptz,
        lease_token bigint not null default 0,
        failing_since timestamptz
      )`);
    await runner.query('create index notification_lanes_due on notification_lanes (due_at) where due_at is not null');
  }

  /** By month: what is past its 90 days leaves as whole months. Without a reference to the channel, which may go first. */
  private async createDeliveries(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table notification_deliveries (
        id bigint generated always as identity check (id <= 9007199254740991),
        created_at timestamptz not null default now(),
        channel_id bigint not null,
        sequence bigint not null,
        message_id uuid not null,
        message_type text not null,
        tenant_id bigint not null,
        division_id bigint,
        environment_id bigint,
        deployment_id bigint,
        subject text not null,
        content text not null,
        data jsonb not null,
        event_at timestamptz not null,
        status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
        attempts integer not null default 0,
        next_attempt_at timestamptz not null default now(),
        give_up_at timestamptz not null default now() + interval '24 hours',
        delivered_at timestamptz,
        log jsonb not null default '[]',
        primary key (created_at, id)
      ) partition by range (created_at)`);
    await runner.query('create index notification_deliveries_channel on notification_deliveries (channel_id, id desc)');
    await runner.query(`
      create index notification_deliveries_history on notification_deliveries (channel_id, id desc)
       where delivered_at is not null`);
    await runner.query(`
      create index notification_deliveries_first on notification_deliveries (channel_id, sequence)
       where status = 'pending' and attempts = 0`);
    await runner.query(`
      create index notification_deliveries_again on notification_deliveries (channel_id, next_attempt_at)
       where status = 'pending' and attempts > 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function drop_expired_notifications, ensure_notification_partitions');
    await runner.query(
      'drop table notification_deliveries, notification_lanes, notification_subscriptions, notification_channels',
    );
    await runner.query('drop index outbox_dispatched');
    await runner.query(`
      alter table outbox
        drop column deployment_name, drop column environment_name, drop column division_name, drop column message_id`);
  }
}

/** This month and three ahead. */
const ENSURE_PARTITIONS = `
create function ensure_notification_partitions() returns void language plpgsql security definer
set search_path = public as $$
declare
  month date;
begin
  perform pg_advisory_xact_lock(hashtext('landlord.ensure_notification_partitions'));
  for ahead in 0..3 loop
    month := date_trunc('month', now() at time zone 'utc') + make_interval(months => ahead);
    execute format(
      'create table if not exists %I partition of notification_deliveries for values from (%L) to (%L)',
      'notification_deliveries' || to_char(month, '_YYYY_MM'),
      month::timestamp at time zone 'utc', (month + interval '1 month')::timestamp at time zone 'utc');
  end loop;
end $$`;

/** Whole months that ended more than 90 days ago. */
const DROP_EXPIRED = `
create function drop_expired_notifications() returns text[] language plpgsql security definer
set search_path = public set lock_timeout = '2s' as $$
declare
  month record;
  dropped text[] := '{}';
begin
  perform pg_advisory_xact_lock(hashtext('landlord.ensure_notification_partitions'));
  for month in
    select c.relname as name, to_date(right(c.relname, 7), 'YYYY_MM') as began
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'notification_deliveries'::regclass
  loop
    if (month.began + interval '1 month') at time zone 'utc' < now() - interval '90 days' then
      execute format('drop table %I', month.name);
      dropped := dropped || month.name;
    end if;
  end loop;
  return dropped;
end $$`;
