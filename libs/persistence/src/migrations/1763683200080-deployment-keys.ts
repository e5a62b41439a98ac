import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The key for the stored data of each encrypted deployment, sealed. Deployments from before have no encryption. */
export class DeploymentKeys1763683200080 implements MigrationInterface {
  name = 'DeploymentKeys1763683200080';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table deployment_runtimes add column data_key text');
    // Identifies the key of an encrypted backup. A restore compares it before any node stops.
    await runner.query('alter table backups add column data_key_id text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table backups drop column data_key_id');
    await runner.query('alter table deployment_runtimes drop column data_key');
  }
}
