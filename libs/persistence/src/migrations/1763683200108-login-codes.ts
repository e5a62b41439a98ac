import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A login by browser hands a new key to the command line by a code that works once. */
export class LoginCodes1763683200108 implements MigrationInterface {
  name = 'LoginCodes1763683200108';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table login_codes (
        api_key_id bigint primary key references api_keys on delete cascade,
        code_hash bytea not null unique check (length(code_hash) = 32),
        code_challenge text not null,
        redirect_uri text not null,
        created_at timestamptz not null default now(),
        expires_at timestamptz not null
      )`);
    await runner.query('create index login_codes_expires on login_codes (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table login_codes');
  }
}
