import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A start on one machine prints a link that signs the first owner in. Its token is a row beside the tokens of mailed links. */
export class FirstSignIns1763683200109 implements MigrationInterface {
  name = 'FirstSignIns1763683200109';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table email_tokens
        drop constraint email_tokens_purpose_check,
        add constraint email_tokens_purpose_check check (purpose in ('verify', 'reset', 'first_sign_in'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`delete from email_tokens where purpose = 'first_sign_in'`);
    await runner.query(`
      alter table email_tokens
        drop constraint email_tokens_purpose_check,
        add constraint email_tokens_purpose_check check (purpose in ('verify', 'reset'))`);
  }
}
