import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The roll-outs of new agents to machines, and what each machine runs and must run. */
export class AgentRollouts1763683200097 implements MigrationInterface {
  name = 'AgentRollouts1763683200097';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table agent_rollouts (
        id integer generated always as identity primary key,
        cell text not null,
        sha256 text not null,
        state text not null default 'running' check (state in ('running', 'stopped', 'done')),
        reason text,
        started_at timestamptz not null default now(),
        ended_at timestamptz
      )`);
    await runner.query(`create unique index agent_rollouts_running on agent_rollouts (cell) where state = 'running'`);
    await runner.query('create index agent_rollouts_cell on agent_rollouts (cell, id)');
    await runner.query(`
      alter table machines
        add column agent_sha256 text,
        add column wanted_agent text,
        add column wanted_attempt integer references agent_rollouts,
        add column agent_refusal text`);
    await runner.query('create index machines_attempt on machines (wanted_attempt)');
    await runner.query(`
      alter table machine_nodes
        add column agent_sha256 text,
        add column agent_since timestamptz,
        add column agent_unheard_seconds real not null default 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table machine_nodes drop column agent_sha256, drop column agent_since, drop column agent_unheard_seconds',
    );
    for (const column of ['agent_refusal', 'wanted_attempt', 'wanted_agent', 'agent_sha256'])
      await runner.query(`alter table machines drop column ${column}`);
    await runner.query('drop table agent_rollouts');
  }
}
