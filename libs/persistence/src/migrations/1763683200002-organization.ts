import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users, tenants, roles, members, payment methods: who there is. */
export class Organization1763683200002 implements MigrationInterface {
  name = 'Organization1763683200002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table users (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        email text not null,
        name text not null,
        password_hash text not null,
        email_verified_at timestamptz,
        created_at timestamptz not null default now()
      )`);
    await runner.query(`create unique index users_email on users (lower(email))`);
    await runner.query(`
      create table tenants (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        name text not null,
        description text not null default '',
        email text not null default '',
        protected boolean not null default false,
        owner_id bigint not null references users,
        plan text not null check (plan in ('basic', 'pro', 'enterprise')),
        plan_overrides jsonb not null default '{}',
        plan_since timestamptz not null default now(),
        email_domain text,
        email_domain_verified_at timestamptz,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        deleted_at timestamptz
      )`);
    await runner.query(`
      create table payment_methods (
        tenant_id bigint primary key references tenants,
        provider text not null check (provider in ('manual', 'card')),
        created_at timestamptz not null default now()
      )`);
    await runner.query(`
      create table roles (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        tenant_id bigint not null references tenants,
        name text not null,
        kind text not null check (kind in ('system', 'custom', 'api_key')),
        permissions jsonb not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      )`);
    await runner.query(`create unique index roles_name on roles (tenant_id, lower(name)) where kind <> 'api_key'`);
    await runner.query(`
      create table members (
        tenant_id bigint not null references tenants,
        user_id bigint not null references users,
        active boolean not null default true,
        created_at timestamptz not null default now(),
        primary key (tenant_id, user_id)
      )`);
    await runner.query(`
      create table member_roles (
        tenant_id bigint not null,
        user_id bigint not null,
        role_id bigint not null references roles,
        primary key (tenant_id, user_id, role_id),
        foreign key (tenant_id, user_id) references members on delete cascade
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table member_roles, members, roles, payment_methods, tenants, users');
  }
}
