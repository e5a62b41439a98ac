import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The place, node, incarnation and handle of each cloud resource. The rows of living resources are completed; no provider is
 * called. Columns are nullable or have defaults, because the previous release inserts rows without them.
 */
export class PlacesOfResources1763683200096 implements MigrationInterface {
  name = 'PlacesOfResources1763683200096';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table cloud_resources
        add column node_id bigint,
        add column cloud text,
        add column region text,
        add column account text,
        add column incarnation integer not null default 1,
        add column handle jsonb not null default '{}',
        add column error text,
        add column seen_at timestamptz`);
    await runner.query(`
      update cloud_resources c set cloud = d.cloud, region = d.region, account = a.account_id
        from deployments d left join deployment_accounts a on a.deployment_id = d.id
       where d.id = c.deployment_id`);
    // The name of a node's resource ends with the id of the node.
    await runner.query(`
      update cloud_resources c set node_id = n.id, incarnation = n.epoch
        from nodes n where n.deployment_id = c.deployment_id and c.kind in ('node', 'address')
         and c.name like '%-' || replace(c.kind, '_', '-') || '-' || n.id`);
    await runner.query('create index cloud_resources_place on cloud_resources (driver, cloud, region, account)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index cloud_resources_place');
    await runner.query(`
      alter table cloud_resources drop column node_id, drop column cloud, drop column region, drop column account,
        drop column incarnation, drop column handle, drop column error, drop column seen_at`);
  }
}
