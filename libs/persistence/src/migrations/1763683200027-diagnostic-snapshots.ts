import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Diagnostic snapshots: what nodes told about themselves at one time, kept as an archive in the object store. */
export class DiagnosticSnapshots1763683200027 implements MigrationInterface {
  name = 'DiagnosticSnapshots1763683200027';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table diagnostic_snapshots (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        tenant_id bigint not null,
        division_id bigint not null,
        environment_id bigint not null,
        deployment_id bigint not null references deployment_runtimes,
        node_id bigint,
        deployment_name text not null,
        name text not null,
        status text not null default 'processing' check (status in ('processing', 'completed')),
        operation_id bigint not null unique,
        author_id bigint,
        redact_secrets boolean not null,
        include_data boolean not null,
        size_bytes bigint not null default 0,
        created_at timestamptz not null default now(),
        completed_at timestamptz,
        expires_at timestamptz not null,
        deleting_at timestamptz
      )`);
    await runner.query('create index diagnostic_snapshots_deployment on diagnostic_snapshots (deployment_id, id desc)');
    await runner.query(
      `create unique index diagnostic_snapshots_processing on diagnostic_snapshots (deployment_id) where status = 'processing'`,
    );
    await runner.query(
      `create index diagnostic_snapshots_expiring on diagnostic_snapshots (expires_at) where status = 'completed' and deleting_at is null`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table diagnostic_snapshots');
  }
}
