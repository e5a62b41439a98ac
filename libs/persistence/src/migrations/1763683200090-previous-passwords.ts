import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The password before a rotation, sealed, and the time until which clients may use it. Both are null without one. */
export class PreviousPasswords1763683200090 implements MigrationInterface {
  name = 'PreviousPasswords1763683200090';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table deployment_credentials add column previous_password text, add column previous_until timestamptz',
    );
    await runner.query(`
      create index deployment_credentials_ended on deployment_credentials (previous_until)
        where previous_password is not null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index deployment_credentials_ended');
    await runner.query('alter table deployment_credentials drop column previous_until, drop column previous_password');
  }
}
