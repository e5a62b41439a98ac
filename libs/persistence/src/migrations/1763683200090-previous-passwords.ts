import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The password before a rotation, sealed, and the time until which clients may use it. Both are null without one. */
export class PreviousPasswords1763683200090 implements MigrationInterface {
  name = 'PreviousPasswords1763683200090';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table deployment_credentials add column previous_password text, add column previous_until timestamptz',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table deployment_credentials drop column previous_until, drop column previous_password');
  }
}
