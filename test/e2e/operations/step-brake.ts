import { eventually, type TestCloud } from '@libs/testing';

/** Any number that no other code uses for an advisory lock. */
const LOCK = 471_100;

/**
 * Blocks an operation at the commit that enters a step, so that a test can kill the process before the step. A trigger
 * waits for a lock that the test has.
 */
export class StepBrake {
  private constructor(
    private readonly cloud: TestCloud,
    private readonly letGo: () => Promise<void>,
  ) {}

  /** From now on no operation enters the step. */
  static async at(cloud: TestCloud, step: string): Promise<StepBrake> {
    await cloud.rows('create table if not exists step_brake (step text)');
    await cloud.rows('truncate step_brake');
    await cloud.rows('insert into step_brake values ($1)', [step]);
    await cloud.rows('grant select on step_brake to public');
    await cloud.rows(`create or replace function hold_at_brake() returns trigger language plpgsql as $$
      begin
        if exists (select 1 from step_brake where step = new.step) then perform pg_advisory_xact_lock(${LOCK}); end if;
        return new;
      end $$`);
    await cloud.rows(`create or replace trigger step_brake before update of step on operations
      for each row when (old.step is distinct from new.step) execute function hold_at_brake()`);
    const connection = await cloud.sql.connect();
    await connection.query(`select pg_advisory_lock(${LOCK})`);
    return new StepBrake(cloud, async () => {
      await connection.query(`select pg_advisory_unlock(${LOCK})`);
      connection.release();
    });
  }

  /** Resolves when an operation is about to enter the step. */
  async isReached(): Promise<void> {
    await eventually(
      'the step is about to be entered',
      async () =>
        (await this.cloud.rows(`select 1 from pg_locks where locktype = 'advisory' and not granted`)).length > 0,
      60_000,
    );
  }

  async release(): Promise<void> {
    await this.cloud.rows('truncate step_brake');
    await this.letGo();
  }
}
