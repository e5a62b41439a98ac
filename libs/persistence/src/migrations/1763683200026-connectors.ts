import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Connectors that were activated. An instance says by itself which configuration it runs by, as a node does of its broker, and
 * what its node last said of it. Each has an active configuration of its own, while the broker has one.
 */
export class Connectors1763683200026 implements MigrationInterface {
  name = 'Connectors1763683200026';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table connector_instances (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        deployment_id bigint not null references deployment_runtimes,
        type text not null check (type in ('source', 'sink')),
        plugin text not null,
        plugin_version text not null,
        key text not null,
        name text not null,
        status text not null default 'pending' check (status in ('pending', 'active', 'inactive', 'failed')),
        status_reason text,
        status_since timestamptz not null default now(),
        config_id bigint not null references configs,
        is_configured boolean not null default false,
        reported_status text,
        reported_config_id bigint,
        reported_error text,
        author_id bigint,
        created_at timestamptz not null default now(),
        unique (deployment_id, key)
      )`);
    // A version that is deleted is looked for among all instances.
    await runner.query('create index connector_instances_config on connector_instances (config_id)');
    await runner.query(`
      alter table nodes
        add column connectors_stopped_at timestamptz,
        add column connector_restarts integer not null default 0`);
    await runner.query('drop index configs_primary');
    await runner.query(
      `create unique index configs_primary on configs (deployment_id, kind) where is_primary and kind = 'broker'`,
    );
    await runner.query(
      `create unique index configs_connector_primary on configs (deployment_id, kind, name) where is_primary and kind <> 'broker'`,
    );
    // Work on connectors excludes only its own kind.
    await runner.query(
      `create unique index operations_connectors on operations (deployment_id)
        where type = 'run_connectors' and status in ('pending', 'running')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index operations_connectors');
    await runner.query('drop table connector_instances');
    await runner.query(`delete from configs where kind <> 'broker'`);
    await runner.query('drop index configs_connector_primary');
    await runner.query('drop index configs_primary');
    await runner.query('create unique index configs_primary on configs (deployment_id, kind) where is_primary');
    await runner.query('alter table nodes drop column connector_restarts, drop column connectors_stopped_at');
  }
}
