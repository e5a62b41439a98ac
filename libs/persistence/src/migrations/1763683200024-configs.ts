import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Versions of a configuration are counted beside its rows: the number of a deleted version is never given again, so that
 * what the audit says of it is said of nothing else.
 */
export class Configs1763683200024 implements MigrationInterface {
  name = 'Configs1763683200024';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table config_versions (
        deployment_id bigint not null references deployment_runtimes,
        kind text not null,
        name text not null,
        last_version integer not null,
        primary key (deployment_id, kind, name)
      )`);
    await runner.query(`
      insert into config_versions (deployment_id, kind, name, last_version)
      select deployment_id, kind, name, max(version) from configs group by deployment_id, kind, name`);
    // A version that is deleted is looked for among all nodes.
    await runner.query('create index nodes_config on nodes (config_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index nodes_config');
    await runner.query('drop table config_versions');
  }
}
