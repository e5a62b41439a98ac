import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Backups, and what they are made by: orders, work that a node does once. A node can be held: its broker is stopped while
 * its data is replaced, whatever else is wanted of it.
 */
export class Backups1763683200025 implements MigrationInterface {
  name = 'Backups1763683200025';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table nodes add column held_at timestamptz');
    await runner.query(`
      create table node_orders (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        node_id bigint not null references nodes on delete cascade,
        operation_id bigint not null,
        kind text not null,
        parts jsonb not null default '{}',
        options jsonb not null default '{}',
        objects jsonb not null default '{}',
        status text not null default 'open' check (status in ('open', 'done', 'failed')),
        error text,
        results jsonb not null default '{}',
        created_at timestamptz not null default now(),
        ended_at timestamptz
      )`);
    await runner.query('create index node_orders_node on node_orders (node_id, id)');
    await runner.query('create index node_orders_operation on node_orders (operation_id)');
    await runner.query(`
      create table backups (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        deployment_id bigint not null references deployment_runtimes,
        operation_id bigint not null unique,
        node_id bigint,
        name text not null,
        backup_type text not null check (backup_type in ('manual', 'scheduled', 'pre_upgrade')),
        status text not null default 'pending' check (status in ('pending', 'in_progress', 'completed', 'failed', 'deleting')),
        region text not null,
        remarks text,
        author_id bigint,
        started_at timestamptz,
        completed_at timestamptz,
        expires_at timestamptz not null,
        created_at timestamptz not null default now()
      )`);
    await runner.query('create index backups_deployment on backups (deployment_id, id desc)');
    await runner.query(
      `create unique index backups_running on backups (deployment_id) where status in ('pending', 'in_progress')`,
    );
    await runner.query(`create index backups_expiring on backups (expires_at) where status in ('completed', 'failed')`);
    await runner.query(`
      create table backup_snapshots (
        backup_id bigint not null references backups on delete cascade,
        node_id bigint not null,
        snapshot_id text not null,
        volume_id text not null,
        object_key text not null,
        sha256 text not null,
        size_bytes bigint not null,
        primary key (backup_id, node_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table backup_snapshots, backups, node_orders');
    await runner.query('alter table nodes drop column held_at');
  }
}
