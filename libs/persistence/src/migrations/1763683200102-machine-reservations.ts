import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Machines that a cloud makes for one node each. */
export class MachineReservations1763683200102 implements MigrationInterface {
  name = 'MachineReservations1763683200102';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table machine_reservations (
        name text primary key,
        node jsonb not null,
        token_id bigint not null references machine_tokens,
        secret text,
        machine_id bigint references machines
      )`);
    await runner.query('create unique index machine_reservations_token on machine_reservations (token_id)');
    await runner.query('create index machine_reservations_machine on machine_reservations (machine_id)');
    await runner.query('alter table machines add column reserved_for text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table machines drop column reserved_for');
    await runner.query('drop table machine_reservations');
  }
}
