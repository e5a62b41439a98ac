import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Long work: one row an operation, moved by the runner alone, and the history of its steps. */
export class Operations1763683200005 implements MigrationInterface {
  name = 'Operations1763683200005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table operations (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        type text not null,
        queue text not null,
        tenant_id bigint not null,
        division_id bigint,
        environment_id bigint,
        deployment_id bigint,
        changing boolean not null,
        status text not null default 'pending' check (status in ('pending', 'running', 'succeeded', 'failed', 'cancelled')),
        step text not null,
        step_seq integer not null default 1,
        step_entered_at timestamptz not null default now(),
        step_started_at timestamptz,
        attempt integer not null default 0,
        memo jsonb not null default '{}',
        undo text[] not null default '{}',
        undoing boolean not null default false,
        wake_at timestamptz not null default now(),
        deadline timestamptz,
        lease_until timestamptz,
        lease_token bigint not null default 0,
        signal_seq bigint not null default 0,
        last_error text,
        reason text,
        incident_id bigint references incidents,
        author_id bigint,
        api_key_id bigint,
        trace_id text not null,
        created_at timestamptz not null default now(),
        started_at timestamptz,
        finished_at timestamptz
      )`);
    await runner.query(
      `create index operations_due on operations (queue, wake_at) where status in ('pending', 'running')`,
    );
    await runner.query(
      `create unique index operations_changing on operations (deployment_id) where changing and status in ('pending', 'running')`,
    );
    await runner.query(`create index operations_tenant on operations (tenant_id, id desc)`);
    await runner.query(`create index operations_deployment on operations (deployment_id, id desc)`);
    await runner.query(`
      create table operation_steps (
        operation_id bigint not null references operations,
        seq integer not null,
        name text not null,
        status text not null check (status in ('succeeded', 'failed', 'cancelled', 'undone')),
        attempts integer not null,
        started_at timestamptz,
        finished_at timestamptz not null,
        error text,
        primary key (operation_id, seq)
      )`);
    // Rows change many times while they run: room on the page keeps the updates heap-only.
    await runner.query(`alter table operations set (fillfactor = 70)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table operation_steps, operations');
  }
}
