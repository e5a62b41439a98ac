import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Each of the indexes replaces a scan of all deployments by a background loop. */
export class GrowingTables1763683200110 implements MigrationInterface {
  name = 'GrowingTables1763683200110';

  async up(runner: QueryRunner): Promise<void> {
    // The places of the resources of a cell, also of its deleted deployments.
    await runner.query('create index deployments_cell on deployments (cell)');
    // The longest telemetry of all deployments decides which partitions are dropped.
    await runner.query('create index deployments_telemetry_days on deployments (telemetry_days)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index deployments_telemetry_days');
    await runner.query('drop index deployments_cell');
  }
}
