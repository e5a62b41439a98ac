import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What each node has stored of its log on the day of its last batch. The release before writes batches without counting. */
export class DailyLogBytes1763683200040 implements MigrationInterface {
  name = 'DailyLogBytes1763683200040';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table node_log_cursors
        add column day date not null default '1970-01-01',
        add column day_bytes bigint not null default 0,
        add column day_left_out bigint not null default 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table node_log_cursors drop column day, drop column day_bytes, drop column day_left_out');
  }
}
