import { statement, type Database } from '@libs/persistence';

/** A run of a schedule that this process has started. */
export interface TakenRun {
  name: string;
  /** By the database's clock, with full precision. */
  startedAt: string;
}

// A period that a newer release made shorter counts at once. A schedule without a row has never run.
const DUE = (name: string, seconds: string): string =>
  `coalesce(least(${name}.due_at, ${name}.started_at + make_interval(secs => ${seconds})), '-infinity')`;

const FIND_OVERDUE = statement(
  'schedule.find_overdue',
  `select s.name from unnest($1::text[], $2::float8[]) as s(name, seconds) left join schedules r on r.name = s.name
    where ${DUE('r', 's.seconds')} <= now() - make_interval(secs => $3)`,
);
// Of several processes that read at once, one finds the schedule due. The others wait for its commit and find it done.
const TAKE = statement(
  'schedule.take',
  `insert into schedules (name, due_at, started_at) values ($1, now() + make_interval(secs => $2), now())
   on conflict (name) do update set due_at = excluded.due_at, started_at = excluded.started_at, ended_at = null
    where ${DUE('schedules', '$2')} <= now() + make_interval(secs => $3)
   returning started_at::text as "startedAt"`,
);
// Only for the last run: a run that took longer than its period must not change the result of the next run.
const OWN = `where name = $1 and started_at = $2::timestamptz`;
const END = statement('schedule.end', `update schedules set ended_at = now(), last_error = null ${OWN}`);
const FAIL = statement(
  'schedule.fail',
  `update schedules set ended_at = now(), last_error = $3, due_at = least(due_at, now() + make_interval(secs => $4)) ${OWN}`,
);

/** The rows with the due times of the schedules, by the database's clock. */
export class JobStore {
  constructor(private readonly database: Database) {}

  /** Returns the names of schedules that have been due for `graceSeconds` without a run. */
  async findOverdue(schedules: readonly { name: string; everyMs: number }[], graceSeconds: number): Promise<string[]> {
    const values = [schedules.map(({ name }) => name), schedules.map(({ everyMs }) => everyMs / 1000), graceSeconds];
    return (await this.database.query<{ name: string }>(FIND_OVERDUE, values)).map(({ name }) => name);
  }

  /** Takes the run that is due now or within `earlySeconds`. Null: no run is due, or another process took it. */
  async take(name: string, everyMs: number, earlySeconds: number): Promise<TakenRun | null> {
    const [row] = await this.database.query<Omit<TakenRun, 'name'>>(TAKE, [name, everyMs / 1000, earlySeconds]);
    return row ? { name, ...row } : null;
  }

  async end({ name, startedAt }: TakenRun): Promise<void> {
    await this.database.execute(END, [name, startedAt]);
  }

  /** Records that the run did not finish: it is due again in `againInSeconds`, or earlier if its period ends earlier. */
  async fail({ name, startedAt }: TakenRun, error: string | null, againInSeconds: number): Promise<void> {
    await this.database.execute(FAIL, [name, startedAt, error, againInSeconds]);
  }
}
