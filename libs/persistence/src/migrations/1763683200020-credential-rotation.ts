import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Credentials change node by node: until the last node has the new ones, the deployment holds both. Nodes that were there
 * before have the version that their deployment has.
 */
export class CredentialRotation1763683200020 implements MigrationInterface {
  name = 'CredentialRotation1763683200020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table deployment_credentials add column next_password text');
    await runner.query('alter table nodes add column credentials_version integer not null default 1');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table nodes drop column credentials_version');
    await runner.query('alter table deployment_credentials drop column next_password');
  }
}
