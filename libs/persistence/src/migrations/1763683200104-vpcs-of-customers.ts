import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The VPC of the customer for the driver of AWS. It was a part of the sealed access data, which no statement can read. */
export class VpcsOfCustomers1763683200104 implements MigrationInterface {
  name = 'VpcsOfCustomers1763683200104';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table deployment_accounts add vpc_id text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table deployment_accounts drop vpc_id');
  }
}
