import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when a node of a serving deployment does not run, for any reason. */
export class NodeOutages1763683200072 implements MigrationInterface {
  name = 'NodeOutages1763683200072';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table nodes add column down_since timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table nodes drop column down_since');
  }
}
