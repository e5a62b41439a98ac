import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a roll-out of agents asked each machine, so that one that never answers does not hold up the others. */
export class MachineTrials1763683200115 implements MigrationInterface {
  name = 'MachineTrials1763683200115';

  async up(runner: QueryRunner): Promise<void> {
    // Null for machines that an earlier release asked: their time counts from the start of the roll-out.
    await runner.query('alter table machines add column wanted_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table machines drop column wanted_at');
  }
}
