import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The deployment whose backup a new deployment starts with. Null: it starts empty, or it has the data already. The nodes of the
 * new deployment read the data with the key of this deployment.
 */
export class RestoreSources1763683200086 implements MigrationInterface {
  name = 'RestoreSources1763683200086';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table deployment_runtimes add column restore_source bigint');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table deployment_runtimes drop column restore_source');
  }
}
