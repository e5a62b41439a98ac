import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the drivers of a cell do, and what each deployment was created with. Deployments from before have no encryption. */
export class DriverFeatures1763683200071 implements MigrationInterface {
  name = 'DriverFeatures1763683200071';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table cells add column features jsonb not null default '{}'`);
    await runner.query(`alter table deployments add column features jsonb not null default '{}'`);
    await runner.query(
      `update deployments d
          set features = jsonb_build_object(
                'private_networking', 'played', 'backup', 'real',
                'replication', case when exists (select 1 from nodes n where n.deployment_id = d.id and n.broker_driver = 'nats')
                                    then 'real' else 'none' end)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table deployments drop column features');
    await runner.query('alter table cells drop column features');
  }
}
