import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Divisions, environments, deployments and the keys that reach them. Deleted rows stay, with `deleted_at`, so that
 * audit, operations and invoices keep their names; every unique name counts the living only.
 */
export class ResourceTree1763683200003 implements MigrationInterface {
  name = 'ResourceTree1763683200003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table divisions (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        tenant_id bigint not null references tenants,
        name text not null,
        description text not null default '',
        email text not null default '',
        protected boolean not null default false,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        deleted_at timestamptz
      )`);
    await runner.query(
      `create unique index divisions_name on divisions (tenant_id, lower(name)) where deleted_at is null`,
    );
    await runner.query(`
      create table environments (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        tenant_id bigint not null references tenants,
        division_id bigint not null references divisions,
        name text not null,
        description text not null default '',
        protected boolean not null default false,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        deleted_at timestamptz
      )`);
    await runner.query(
      `create unique index environments_name on environments (division_id, lower(name)) where deleted_at is null`,
    );
    await runner.query(`create index environments_tenant on environments (tenant_id) where deleted_at is null`);
    await this.createDeployments(runner);
    await this.createApiKeys(runner);
  }

  private async createDeployments(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table deployments (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        tenant_id bigint not null references tenants,
        division_id bigint not null references divisions,
        environment_id bigint not null references environments,
        name text not null,
        code text not null unique,
        variant text not null check (variant in ('managed', 'byoc', 'starter')),
        description text not null default '',
        cloud text not null,
        area text not null,
        region text not null,
        cell text not null,
        tier text not null,
        cluster text not null,
        managed_tier text,
        storage_type text not null,
        storage_size integer not null check (storage_size > 0),
        target_network_tput integer not null check (target_network_tput > 0),
        network_scope text not null,
        availability_mode text not null,
        nodes_count smallint not null check (nodes_count > 0),
        protected boolean not null default false,
        encrypted boolean not null default false,
        public_ip_enabled boolean not null default true,
        subdomain_enabled boolean not null default true,
        dedicated boolean not null default false,
        telemetry_days smallint not null,
        telemetry_days_explicit boolean not null default false,
        spend_limit numeric(14, 2),
        monthly_compute numeric(14, 2) not null,
        monthly_storage numeric(14, 2) not null,
        pricing_version text not null,
        upgraded_at timestamptz,
        author_id bigint references users,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        deletion_requested_at timestamptz
      )`);
    await runner.query(
      `create unique index deployments_name on deployments (environment_id, lower(name)) where deletion_requested_at is null`,
    );
    await runner.query(`create index deployments_environment on deployments (environment_id, id desc)`);
    await runner.query(`create index deployments_tenant on deployments (tenant_id, id desc)`);
  }

  private async createApiKeys(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table api_keys (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        tenant_id bigint not null references tenants,
        name text not null,
        secret_hash bytea not null check (length(secret_hash) = 32),
        role_id bigint not null references roles,
        division_id bigint references divisions,
        user_id bigint not null references users,
        validate_ip boolean not null default false,
        allowed_ips text[] not null default '{}',
        expiry_at timestamptz not null,
        created_at timestamptz not null default now(),
        last_used_at timestamptz
      )`);
    await runner.query(`create index api_keys_tenant on api_keys (tenant_id, id desc)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table api_keys, deployments, environments, divisions');
  }
}
