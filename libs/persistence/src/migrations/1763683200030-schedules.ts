import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When what is done now and then was done last, and is due next; and the reads of what is looked at like that. */
export class Schedules1763683200030 implements MigrationInterface {
  name = 'Schedules1763683200030';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table schedules (
        name text primary key,
        due_at timestamptz not null,
        started_at timestamptz not null,
        ended_at timestamptz,
        last_error text
      )`);
    await runner.query('create index api_keys_expiry on api_keys (expiry_at, id)');
    await runner.query(`
      create index deployments_spend_limit on deployments (id)
       where spend_limit is not null and deletion_requested_at is null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index deployments_spend_limit, api_keys_expiry');
    await runner.query('drop table schedules');
  }
}
