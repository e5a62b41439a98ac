import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is left of a node on the machine that it has moved from, and the failed moves of a node. The columns are nullable or have
 * defaults, because the previous release inserts rows without them.
 */
export class NodeMoves1763683200099 implements MigrationInterface {
  name = 'NodeMoves1763683200099';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table machine_nodes
        add column former_name text,
        add column failed_moves integer not null default 0,
        add column move_due_at timestamptz,
        add column move_error text`);
    await runner.query('create index machine_nodes_former_name on machine_nodes (former_name)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index machine_nodes_former_name');
    await runner.query(`
      alter table machine_nodes drop column former_name, drop column failed_moves, drop column move_due_at, drop column move_error`);
  }
}
