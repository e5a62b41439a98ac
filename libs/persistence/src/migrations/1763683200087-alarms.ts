import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Alarms about connectors and about refused sign-ins: what the channels were told. And the metrics of brokers about
 * subscriptions and refusals.
 */
export class Alarms1763683200087 implements MigrationInterface {
  name = 'Alarms1763683200087';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table login_refusals (
        deployment_id bigint not null references deployment_runtimes on delete cascade,
        address text not null,
        last_at timestamptz not null,
        announced_at timestamptz not null default now(),
        primary key (deployment_id, address)
      )`);
    await runner.query('create index login_refusals_old on login_refusals (announced_at)');
    await runner.query('alter table connector_instances add column failure_announced_at timestamptz');
    await runner.query(`
      create index connector_instances_alarms on connector_instances (id)
        where status = 'failed' or failure_announced_at is not null`);
    for (const table of ['node_metrics', 'node_metric_rollups'])
      await runner.query(`
        alter table ${table}
          add column subscriptions double precision,
          add column refused_connections double precision,
          add column refused_logins double precision`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['node_metrics', 'node_metric_rollups'])
      await runner.query(
        `alter table ${table} drop column subscriptions, drop column refused_connections, drop column refused_logins`,
      );
    await runner.query('drop index connector_instances_alarms');
    await runner.query('alter table connector_instances drop column failure_announced_at');
    await runner.query('drop table login_refusals');
  }
}
