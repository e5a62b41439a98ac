import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Rotated secrets, the last use of a key and the counts of the rate limit. Uses and counts are written by both apps and
 * often, so they stand beside the keys: a key's row is written by the main API alone, and rarely.
 */
export class Access1763683200014 implements MigrationInterface {
  name = 'Access1763683200014';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table api_keys
        add column previous_secret_hash bytea check (length(previous_secret_hash) = 32),
        add column previous_until timestamptz`);
    // No app ever read or wrote it: whoever knows the first ten migrations does without.
    await runner.query('alter table api_keys drop column last_used_at');
    await runner.query(`
      insert into schema_requirements (migration, reason)
      values ('SchemaRequirements1763683200010', 'api_keys.last_used_at is gone') on conflict do nothing`);
    await runner.query('create index api_keys_role on api_keys (role_id)');
    await runner.query('create index member_roles_role on member_roles (role_id)');
    await runner.query(`
      create table api_key_uses (
        api_key_id bigint primary key references api_keys on delete cascade,
        last_used_at timestamptz not null
      ) with (fillfactor = 70)`);
    // Unlogged: a crash forgets a minute of counts, and nobody waits for the disk.
    await runner.query(`
      create unlogged table rate_counts (
        subject text not null,
        slot bigint not null,
        count integer not null,
        primary key (subject, slot)
      ) with (fillfactor = 70)`);
    await runner.query('create index rate_counts_slot on rate_counts (slot)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table rate_counts, api_key_uses');
    await runner.query('drop index member_roles_role');
    await runner.query('drop index api_keys_role');
    await runner.query('alter table api_keys add column last_used_at timestamptz');
    await runner.query('alter table api_keys drop column previous_until, drop column previous_secret_hash');
  }
}
