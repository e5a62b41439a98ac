import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an invoice agreement is filed under at the tenant, and when it changed. */
export class PaymentMethods1763683200021 implements MigrationInterface {
  name = 'PaymentMethods1763683200021';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table payment_methods
        add column reference text,
        add column updated_at timestamptz not null default now()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table payment_methods drop column updated_at, drop column reference');
  }
}
