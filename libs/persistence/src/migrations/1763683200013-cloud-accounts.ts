import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts of customers at their cloud providers. */
export class CloudAccounts1763683200013 implements MigrationInterface {
  name = 'CloudAccounts1763683200013';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table cloud_accounts (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        tenant_id bigint not null references tenants,
        cloud text not null check (cloud in ('aws', 'gcp')),
        name text not null,
        account_id text not null,
        region text,
        settings text,
        remarks text,
        status text not null default 'active' check (status in ('active', 'inactive', 'locked', 'deleted')),
        validated_at timestamptz,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      )`);
    await runner.query('create unique index cloud_accounts_name on cloud_accounts (tenant_id, lower(name))');
    await runner.query('create index cloud_accounts_tenant on cloud_accounts (tenant_id, id desc)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table cloud_accounts');
  }
}
