import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The newest gauges of each node, as its agent reported them: load, memory, disk, clients. */
export class NodeGauges1763683200016 implements MigrationInterface {
  name = 'NodeGauges1763683200016';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table nodes add column gauges jsonb not null default '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table nodes drop column gauges');
  }
}
