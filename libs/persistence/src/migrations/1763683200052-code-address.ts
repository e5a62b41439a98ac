import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Where protection codes of a tenant go for a day after its address was changed: to the address before. Whoever changes the
 * address cannot read the codes of what is protected until the reader of the old address has had a day to act.
 */
export class CodeAddress1763683200052 implements MigrationInterface {
  name = 'CodeAddress1763683200052';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table tenants
        add column code_email text,
        add column code_email_until timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table tenants drop column code_email_until, drop column code_email');
  }
}
