import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A node with another address needs another target of its name and its load balancer. */
export class ClientRedirections1763683200107 implements MigrationInterface {
  name = 'ClientRedirections1763683200107';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table deployment_runtimes add column redirecting_since timestamptz');
    await runner.query(
      'create index deployment_runtimes_redirecting on deployment_runtimes (cell, redirecting_since) where redirecting_since is not null',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table deployment_runtimes drop column redirecting_since');
  }
}
