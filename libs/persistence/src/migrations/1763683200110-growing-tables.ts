import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Each of the indexes replaces a scan of a table that grows with the installation. */
export class GrowingTables1763683200110 implements MigrationInterface {
  name = 'GrowingTables1763683200110';

  async up(runner: QueryRunner): Promise<void> {
    // The places of the resources of a cell, also of its deleted deployments.
    await runner.query('create index deployments_cell on deployments (cell)');
    // The longest telemetry of all deployments decides which partitions are dropped.
    await runner.query('create index deployments_telemetry_days on deployments (telemetry_days)');
    // The keys of a person who lost the account, and the roles of a tenant with those of its keys.
    await runner.query('create index api_keys_user on api_keys (user_id)');
    await runner.query('create index roles_tenant on roles (tenant_id, id desc)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index roles_tenant');
    await runner.query('drop index api_keys_user');
    await runner.query('drop index deployments_telemetry_days');
    await runner.query('drop index deployments_cell');
  }
}
