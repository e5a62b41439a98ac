import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the standing truths need to know: who serves a cell since when, which nodes are silent, what was decided. */
export class Reconciliation1763683200009 implements MigrationInterface {
  name = 'Reconciliation1763683200009';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table cell_processes (
        id text primary key,
        cell text not null,
        has_gateway boolean not null,
        version text not null,
        started_at timestamptz not null default now(),
        seen_at timestamptz not null default now()
      )`);
    await runner.query('create index cell_processes_cell on cell_processes (cell)');
    await runner.query('alter table nodes add column unreachable_since timestamptz');
    await runner.query('create index nodes_unreachable on nodes (deployment_id) where unreachable_since is not null');
    await runner.query(`alter table incidents add column decision text check (decision in ('adopt', 'destroy'))`);
    await runner.query(`alter table node_documents add column trace_id text not null default ''`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table node_documents drop column trace_id');
    await runner.query('alter table incidents drop column decision');
    await runner.query('alter table nodes drop column unreachable_since');
    await runner.query('drop table cell_processes');
  }
}
