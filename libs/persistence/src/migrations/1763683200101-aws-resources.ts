import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the driver of AWS remembers, and the common pace of the calls of all processes to a cloud. */
export class AwsResources1763683200101 implements MigrationInterface {
  name = 'AwsResources1763683200101';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table aws_resources (
        kind text not null,
        name text not null,
        parts jsonb not null default '{}',
        tags jsonb,
        is_deleting boolean not null default false,
        held_by uuid,
        held_until timestamptz,
        primary key (kind, name)
      )`);
    // A crash of the database empties the table, and each bucket starts full.
    await runner.query(
      'create unlogged table cloud_call_slots (bucket text primary key, full_at timestamptz not null)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table cloud_call_slots');
    await runner.query('drop table aws_resources');
  }
}
