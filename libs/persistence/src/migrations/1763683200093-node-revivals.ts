import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a silent node was last looked at, and since when its provider does not have it. */
export class NodeRevivals1763683200093 implements MigrationInterface {
  name = 'NodeRevivals1763683200093';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table node_revivals (
        node_id bigint primary key references nodes on delete cascade,
        tries integer not null check (tries >= 0),
        tried_at timestamptz not null,
        due_at timestamptz not null,
        gone_since timestamptz
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table node_revivals');
  }
}
