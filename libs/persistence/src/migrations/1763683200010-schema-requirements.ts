import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a schema asks of the apps that run on it: each row names a migration that an app must know. Contracting migrations
 * add rows (docs/decisions/0015-old-apps-on-new-schemas.md); nothing removes one, so the floor only rises.
 */
export class SchemaRequirements1763683200010 implements MigrationInterface {
  name = 'SchemaRequirements1763683200010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table schema_requirements (
        migration text primary key,
        reason text not null,
        since timestamptz not null default now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table schema_requirements');
  }
}
