import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails on their way, and the one-time codes that they carry. */
export class MailsAndCodes1763683200012 implements MigrationInterface {
  name = 'MailsAndCodes1763683200012';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table mails (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        message_id text not null unique,
        recipient text not null,
        subject text not null,
        body text not null,
        status text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed')),
        attempts integer not null default 0,
        next_attempt_at timestamptz not null default now(),
        last_error text,
        created_at timestamptz not null default now(),
        ended_at timestamptz
      )`);
    await runner.query(`create index mails_due on mails (next_attempt_at) where status = 'waiting'`);
    await runner.query(`create index mails_ended on mails (ended_at) where status <> 'waiting'`);
    await runner.query(`
      create table protection_codes (
        action_type text not null,
        resource_id bigint not null,
        tenant_id bigint not null references tenants,
        salt bytea not null check (length(salt) = 16),
        code_hash bytea not null check (length(code_hash) = 32),
        attempts integer not null default 0,
        requested_at timestamptz not null default now(),
        expires_at timestamptz not null,
        used_at timestamptz,
        primary key (action_type, resource_id)
      )`);
    await runner.query('create index protection_codes_expiry on protection_codes (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table protection_codes, mails');
  }
}
