import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What users do to the runtimes of nodes. A node says by itself which configuration it runs, whether its broker is to run,
 * and how often it was restarted: these change node by node, while the primary configuration changes at once.
 */
export class Activities1763683200022 implements MigrationInterface {
  name = 'Activities1763683200022';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table nodes
        add column config_id bigint references configs,
        add column stopped_at timestamptz,
        add column restarts integer not null default 0`);
    await runner.query(`
      update nodes n set config_id = k.id from configs k
       where k.deployment_id = n.deployment_id and k.kind = 'broker' and k.is_primary`);
    await runner.query(`
      create table tasks (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        deployment_id bigint not null references deployment_runtimes,
        operation_id bigint not null unique,
        type text not null,
        config_id bigint,
        author_id bigint,
        created_at timestamptz not null default now()
      )`);
    await runner.query('create index tasks_deployment on tasks (deployment_id, id desc)');
    await runner.query(`
      create table activities (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        tenant_id bigint not null,
        division_id bigint not null,
        environment_id bigint not null,
        deployment_id bigint not null references deployment_runtimes,
        node_id bigint not null,
        operation_id bigint not null,
        author_id bigint,
        runtime text not null,
        action text not null,
        status text not null default 'processing' check (status in ('processing', 'completed', 'rejected')),
        error text,
        created_at timestamptz not null default now(),
        finished_at timestamptz,
        unique (operation_id, node_id)
      )`);
    await runner.query('create index activities_deployment on activities (deployment_id, id desc)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table activities, tasks');
    await runner.query('alter table nodes drop column restarts, drop column stopped_at, drop column config_id');
  }
}
