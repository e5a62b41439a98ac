import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions, links that are mailed, locks of sign-in, invitations and requests to join: how people come in. */
export class People1763683200017 implements MigrationInterface {
  name = 'People1763683200017';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table users
        add column updated_at timestamptz not null default now(),
        add column password_changed_at timestamptz not null default now()`);
    await runner.query('alter table members add column division_id bigint references divisions');
    await runner.query('create index members_user on members (user_id)');
    await runner.query('create index tenants_owner on tenants (owner_id)');
    await runner.query(
      `create unique index tenants_email_domain on tenants (lower(email_domain)) where email_domain is not null and deleted_at is null`,
    );
    // Beside the text, not within it: who is of the release before goes on sending the text alone.
    await runner.query('alter table mails add column html text');
    await this.createSessions(runner);
    await this.createInvitations(runner);
  }

  private async createSessions(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table sessions (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        user_id bigint not null references users on delete cascade,
        token_hash bytea not null check (length(token_hash) = 32),
        address text not null,
        user_agent text not null default '',
        created_at timestamptz not null default now(),
        last_seen_at timestamptz not null default now(),
        expires_at timestamptz not null
      )`);
    await runner.query('create index sessions_user on sessions (user_id, id desc)');
    await runner.query('create index sessions_expires on sessions (expires_at)');
    await runner.query(`
      create table email_tokens (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        user_id bigint not null references users on delete cascade,
        purpose text not null check (purpose in ('verify', 'reset')),
        token_hash bytea not null unique check (length(token_hash) = 32),
        created_at timestamptz not null default now(),
        expires_at timestamptz not null,
        used_at timestamptz
      )`);
    await runner.query('create index email_tokens_user on email_tokens (user_id, purpose)');
    await runner.query('create index email_tokens_expires on email_tokens (expires_at)');
    await runner.query(`
      create table sign_in_locks (
        subject text primary key,
        failures integer not null,
        since timestamptz not null,
        locked_until timestamptz
      )`);
    await runner.query('create index sign_in_locks_since on sign_in_locks (since)');
  }

  private async createInvitations(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table invitations (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        tenant_id bigint not null references tenants,
        email text not null,
        division_id bigint references divisions,
        role_ids bigint[] not null default '{}',
        status text not null check (status in ('pending', 'accepted', 'rejected', 'expired')),
        inviter_id bigint not null references users,
        created_at timestamptz not null default now(),
        expires_at timestamptz not null,
        answered_at timestamptz
      )`);
    await runner.query('create index invitations_tenant on invitations (tenant_id, id desc)');
    await runner.query(
      `create unique index invitations_pending on invitations (tenant_id, lower(email)) where status = 'pending'`,
    );
    await runner.query('create index invitations_email on invitations (lower(email), id desc)');
    await runner.query(`
      create table join_requests (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        tenant_id bigint not null references tenants,
        user_id bigint not null references users,
        status text not null check (status in ('pending', 'approved', 'rejected')),
        created_at timestamptz not null default now(),
        answered_at timestamptz
      )`);
    await runner.query('create index join_requests_tenant on join_requests (tenant_id, id desc)');
    await runner.query(
      `create unique index join_requests_pending on join_requests (tenant_id, user_id) where status = 'pending'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table join_requests, invitations, sign_in_locks, email_tokens, sessions');
    await runner.query('drop index tenants_email_domain, tenants_owner, members_user');
    await runner.query('alter table mails drop column html');
    await runner.query('alter table members drop column division_id');
    await runner.query('alter table users drop column password_changed_at, drop column updated_at');
  }
}
