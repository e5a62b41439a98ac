import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Requests of the API that a node answers within seconds, such as a page of refused messages. The row is deleted with the
 * answer. And what connectors have moved: in the last report of their node, and as metrics of the runtime `connectors`.
 */
export class ConnectorWork1763683200085 implements MigrationInterface {
  name = 'ConnectorWork1763683200085';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table node_requests (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        node_id bigint not null references nodes on delete cascade,
        body jsonb not null,
        answer text,
        error text,
        created_at timestamptz not null default now(),
        answered_at timestamptz
      )`);
    await runner.query('create index node_requests_node on node_requests (node_id, id)');
    await runner.query(`alter table nodes add column connector_counts jsonb not null default '[]'`);
    for (const table of ['node_metrics', 'node_metric_rollups'])
      await runner.query(`
        alter table ${table}
          add column messages_moved double precision,
          add column messages_failed double precision,
          add column lag double precision`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['node_metrics', 'node_metric_rollups'])
      await runner.query(
        `alter table ${table} drop column messages_moved, drop column messages_failed, drop column lag`,
      );
    await runner.query('alter table nodes drop column connector_counts');
    await runner.query('drop table node_requests');
  }
}
