import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The last Supervisor process of a cell that stops in order signs the cell off. An earlier release never writes it. */
export class CellsSignOff1763683200121 implements MigrationInterface {
  name = 'CellsSignOff1763683200121';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table cells add column signed_off_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table cells drop column signed_off_at');
  }
}
