import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The account that contains the network of a deployment, and what a provider says when it refuses the account of a customer. */
export class AccountsAtProviders1763683200106 implements MigrationInterface {
  name = 'AccountsAtProviders1763683200106';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table deployment_runtimes add network_account text');
    await runner.query('alter table deployment_accounts add refusal text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table deployment_accounts drop refusal');
    await runner.query('alter table deployment_runtimes drop network_account');
  }
}
