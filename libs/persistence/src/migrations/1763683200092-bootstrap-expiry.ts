import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The end of the one-time token of each node. The tokens that exist now get a whole period. */
export class BootstrapExpiry1763683200092 implements MigrationInterface {
  name = 'BootstrapExpiry1763683200092';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table nodes add column bootstrap_expires_at timestamptz not null default now() + interval '30 minutes'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table nodes drop column bootstrap_expires_at');
  }
}
