import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The installation's own certificate authority, and what it issued to deployments. Of what is no longer shown the key is
 * forgotten; the rest stays as history until the deployment goes.
 */
export class Certificates1763683200029 implements MigrationInterface {
  name = 'Certificates1763683200029';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table certificate_authorities (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        serial text not null unique,
        certificate text not null,
        private_key text not null,
        not_before timestamptz not null,
        not_after timestamptz not null,
        created_at timestamptz not null default now()
      )`);
    await runner.query(`
      create table deployment_certificates (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        deployment_id bigint not null references deployment_runtimes,
        authority_id bigint not null references certificate_authorities,
        serial text not null unique,
        names text[] not null,
        certificate text not null,
        private_key text,
        status text not null check (status in ('next', 'active', 'replaced', 'withdrawn')),
        not_before timestamptz not null,
        not_after timestamptz not null,
        issued_at timestamptz not null default now(),
        expiry_told_at timestamptz,
        check ((private_key is not null) = (status in ('next', 'active')))
      )`);
    await runner.query(
      `create unique index deployment_certificates_in_use on deployment_certificates (deployment_id, status)
        where status in ('next', 'active')`,
    );
    await runner.query(
      'create index deployment_certificates_deployment on deployment_certificates (deployment_id, id desc)',
    );
    await runner.query(
      `create index deployment_certificates_expiring on deployment_certificates (not_after)
        where status = 'active' and expiry_told_at is null`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table deployment_certificates');
    await runner.query('drop table certificate_authorities');
  }
}
