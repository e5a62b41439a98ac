import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a node may use, and the upgrades of deployments. A node from before has no caps: its document stays as it is, and
 * its broker is not restarted for them until it is upgraded.
 */
export class Upgrades1763683200018 implements MigrationInterface {
  name = 'Upgrades1763683200018';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table nodes
        add column variant text,
        add column memory_mib integer check (memory_mib > 0)`);
    await runner.query(`
      create table deployment_upgrades (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        deployment_id bigint not null references deployments,
        operation_id bigint not null unique,
        from_shape jsonb not null,
        to_shape jsonb not null,
        is_hardware boolean not null,
        status text not null default 'pending' check (status in ('pending', 'applied', 'reverted')),
        requested_at timestamptz not null default now(),
        settled_at timestamptz
      )`);
    await runner.query('create index deployment_upgrades_deployment on deployment_upgrades (deployment_id, id desc)');
    await runner.query(`create index deployment_upgrades_pending on deployment_upgrades (id) where status = 'pending'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table deployment_upgrades');
    await runner.query('alter table nodes drop column memory_mib, drop column variant');
  }
}
