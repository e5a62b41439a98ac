import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What operators did, and what they may hold back: a cell, a node, destruction after a restore. */
export class Operator1763683200008 implements MigrationInterface {
  name = 'Operator1763683200008';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table operator_actions (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        at timestamptz not null default now(),
        operator text not null,
        verb text not null,
        subject text not null,
        tenant_id bigint,
        detail jsonb not null default '{}'
      )`);
    await runner.query('alter table cells add column drained_at timestamptz');
    await runner.query('alter table nodes add column drained_at timestamptz');
    await runner.query('alter table installation add column destruction_held_since timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table operator_actions');
    await runner.query('alter table cells drop column drained_at');
    await runner.query('alter table nodes drop column drained_at');
    await runner.query('alter table installation drop column destruction_held_since');
  }
}
