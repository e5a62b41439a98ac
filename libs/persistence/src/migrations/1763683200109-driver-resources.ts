import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Two drivers remember their resources now. No name of a resource is in use at two clouds. */
export class DriverResources1763683200109 implements MigrationInterface {
  name = 'DriverResources1763683200109';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table aws_resources rename to driver_resources');
    await runner.query('alter index aws_resources_pkey rename to driver_resources_pkey');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter index driver_resources_pkey rename to aws_resources_pkey');
    await runner.query('alter table driver_resources rename to aws_resources');
  }
}
