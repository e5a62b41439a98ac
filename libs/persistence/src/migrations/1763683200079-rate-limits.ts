import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The rate that the gates of a deployment enforce, fixed at its creation. Deployments from before have none. */
export class RateLimits1763683200079 implements MigrationInterface {
  name = 'RateLimits1763683200079';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table deployment_runtimes add column rate_limit_bytes integer check (rate_limit_bytes > 0)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table deployment_runtimes drop column rate_limit_bytes');
  }
}
