import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The stream of an operation, and what an operator asks its runner to do. */
export class OperationEvents1763683200007 implements MigrationInterface {
  name = 'OperationEvents1763683200007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table operations
        add column event_seq bigint not null default 0,
        add column skip_step text,
        add column cancel_reason text`);
    await runner.query(`
      create table operation_events (
        operation_id bigint not null references operations,
        seq bigint not null,
        at timestamptz not null default clock_timestamp(),
        event text not null check (event in ('step', 'waiting', 'retry', 'incident', 'ended')),
        step text not null,
        status text not null,
        attempt integer not null,
        detail text,
        primary key (operation_id, seq)
      )`);
    await runner.query(`create index operation_events_at on operation_events using brin (at)`);
    await allowStepStatuses(runner, [...STEP_STATUSES, 'skipped']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await allowStepStatuses(runner, STEP_STATUSES);
    await runner.query('drop table operation_events');
    await runner.query(
      'alter table operations drop column event_seq, drop column skip_step, drop column cancel_reason',
    );
  }
}

const STEP_STATUSES = ['succeeded', 'failed', 'cancelled', 'undone'];

async function allowStepStatuses(runner: QueryRunner, statuses: string[]): Promise<void> {
  const list = statuses.map((status) => `'${status}'`).join(', ');
  await runner.query('alter table operation_steps drop constraint operation_steps_status_check');
  await runner.query(
    `alter table operation_steps add constraint operation_steps_status_check check (status in (${list}))`,
  );
}
