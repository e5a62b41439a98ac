import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The brokers that the nodes of a cell can run. Empty until a Supervisor of this release announces them. Supervisors and main
 * APIs of earlier releases use the older columns, which name one broker for all deployments.
 */
export class CellBrokers1763683200091 implements MigrationInterface {
  name = 'CellBrokers1763683200091';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table cells add column brokers jsonb not null default '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table cells drop column brokers');
  }
}
