import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every scrape of the metrics counts the channels that fail: few among many. */
export class FailingLanes1763683200031 implements MigrationInterface {
  name = 'FailingLanes1763683200031';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'create index notification_lanes_failing on notification_lanes (failing_since) where failing_since is not null',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index notification_lanes_failing');
  }
}
