import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Deployments in accounts of customers. Each tenant has an external id: drawn and not derived, so that it survives a
 * change of the installation's keys. What a driver needs to get into an account is born with the deployment and goes with
 * it. When an account was found good is the supervisor's knowledge, so it has a table of its own;
 * cloud_accounts.validated_at stays for releases from before.
 */
export class Byoc1763683200019 implements MigrationInterface {
  name = 'Byoc1763683200019';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table tenants add column external_id uuid not null default gen_random_uuid()');
    await runner.query(`
      create table deployment_accounts (
        deployment_id bigint primary key references deployments,
        account_id text not null,
        vpc_cidr text,
        access text not null
      )`);
    await runner.query(
      `alter table deployments add column cloud_account_id bigint references cloud_accounts on delete set null`,
    );
    await runner.query(
      'create index deployments_cloud_account on deployments (cloud_account_id) where cloud_account_id is not null',
    );
    await runner.query(`
      create table account_validations (
        tenant_id bigint not null references tenants,
        cloud text not null check (cloud in ('aws', 'gcp')),
        account_id text not null,
        validated_at timestamptz not null default now(),
        primary key (tenant_id, cloud, account_id)
      )`);
    await runner.query('alter table cloud_accounts add column unproven_since timestamptz not null default now()');
    await runner.query('create index cloud_accounts_account on cloud_accounts (tenant_id, cloud, account_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index cloud_accounts_account');
    await runner.query('alter table cloud_accounts drop column unproven_since');
    await runner.query('drop table account_validations');
    await runner.query('alter table deployments drop column cloud_account_id');
    await runner.query('drop table deployment_accounts');
    await runner.query('alter table tenants drop column external_id');
  }
}
