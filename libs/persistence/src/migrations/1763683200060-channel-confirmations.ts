import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * E-mail channels are confirmed by the reader of their address. `confirmed_address` is the hash of the address that was
 * confirmed: a destination that the release before changes is thereby unconfirmed. Mails that ask for a confirmation are
 * counted by address and tenant, also after their channel is deleted, so the rows have no reference to the channel.
 */
export class ChannelConfirmations1763683200060 implements MigrationInterface {
  name = 'ChannelConfirmations1763683200060';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table notification_channels
        add column confirmed_address bytea,
        add column redelivered_at timestamptz,
        add column notice_due boolean not null default false`);
    // Addresses are sealed: a worker finds out which of these channels need a confirmation, and tells their owners.
    await runner.query(`update notification_channels set notice_due = true where channel = 'email'`);
    await runner.query(
      'create index notification_channels_notice on notification_channels (tenant_id, id) where notice_due',
    );
    await runner.query(`
      create table channel_confirmations (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        tenant_id bigint not null references tenants,
        channel_id bigint not null,
        address_hash bytea not null,
        token_hash bytea not null unique,
        created_at timestamptz not null default clock_timestamp(),
        expires_at timestamptz not null,
        used_at timestamptz
      )`);
    await runner.query(
      'create index channel_confirmations_address on channel_confirmations (address_hash, created_at)',
    );
    await runner.query('create index channel_confirmations_tenant on channel_confirmations (tenant_id, created_at)');
    await runner.query('create index channel_confirmations_channel on channel_confirmations (channel_id)');
    await runner.query('create index channel_confirmations_expiry on channel_confirmations (expires_at)');
    await runner.query(`
      alter table notification_deliveries
        add column status_reason text,
        drop constraint notification_deliveries_status_check,
        add constraint notification_deliveries_status_check
          check (status in ('pending', 'delivered', 'failed', 'suppressed'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`update notification_deliveries set status = 'failed' where status = 'suppressed'`);
    await runner.query(`
      alter table notification_deliveries
        drop constraint notification_deliveries_status_check,
        add constraint notification_deliveries_status_check check (status in ('pending', 'delivered', 'failed')),
        drop column status_reason`);
    await runner.query('drop table channel_confirmations');
    await runner.query('drop index notification_channels_notice');
    await runner.query(`
      alter table notification_channels
        drop column notice_due, drop column redelivered_at, drop column confirmed_address`);
  }
}
