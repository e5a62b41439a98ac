import { Injectable } from '@nestjs/common';
import { statement, Database } from '../../database.js';
import { SignInLock } from '../entities/sign-in-lock.entity.js';

/** Five failures in 15 minutes lock for one minute. Each further failure doubles the lock, up to one hour. */
const LOCK_RULE = {
  /** The window in which failures are counted. Failures are also kept this long after a lock. */
  windowSeconds: 900,
  /** The number of failures that starts the first lock. */
  maximumFailures: 5,
  firstLockSeconds: 60,
  /** Each lock is twice as long as the previous one, up to this limit. */
  longestLockSeconds: 3600,
};

const SECONDS_LEFT = 'greatest(0, extract(epoch from locked_until - clock_timestamp()))::float8';

const LOOK = statement(
  'sign_in_lock.look',
  `select coalesce(${SECONDS_LEFT}, 0) as seconds from sign_in_locks where subject = $1`,
);
// Inserts the row if it is missing, and locks it, so that concurrent guesses run one after the other. Resets failures that are
// older than the window.
const HOLD = statement(
  'sign_in_lock.hold',
  `insert into sign_in_locks as l (subject, failures, since) values ($1, 0, clock_timestamp())
   on conflict (subject) do update set
     failures = case when greatest(l.since, l.locked_until) < clock_timestamp() - make_interval(secs => $2)
                     then 0 else l.failures end,
     since = case when greatest(l.since, l.locked_until) < clock_timestamp() - make_interval(secs => $2)
                  then clock_timestamp() else l.since end
   returning coalesce(${SECONDS_LEFT}, 0) as seconds`,
);
const FAIL = statement(
  'sign_in_lock.fail',
  `update sign_in_locks set failures = failures + 1,
     locked_until = case when failures + 1 >= $2
       then clock_timestamp() + make_interval(secs => least($4, $3 * 2 ^ least(failures + 1 - $2, 20))) end
    where subject = $1`,
);
const FORGET = statement(
  'sign_in_lock.forget',
  `delete from sign_in_locks where subject in
     (select subject from sign_in_locks where since < now() - make_interval(secs => $2)
         and (locked_until is null or locked_until < now() - make_interval(secs => $2)) order by since limit $1)`,
);

/** Failed sign-in attempts per subject. */
@Injectable()
export class SignInLocksRepository {
  constructor(private readonly database: Database) {}

  /** Seconds for which the subject is locked; 0 when it is not locked. */
  async look(subject: string): Promise<number> {
    const [row] = await this.database.query<{ seconds: number }>(LOOK, [subject]);
    return row?.seconds ?? 0;
  }

  /** Like `look`. Also blocks other transactions with this subject until the transaction ends. */
  async lock(subject: string): Promise<number> {
    const [row] = await this.database.query<{ seconds: number }>(HOLD, [subject, LOCK_RULE.windowSeconds]);
    return row?.seconds ?? 0;
  }

  /** Counts one more failure of a locked subject row. */
  async fail(subject: string): Promise<void> {
    const { maximumFailures, firstLockSeconds, longestLockSeconds } = LOCK_RULE;
    await this.database.execute(FAIL, [subject, maximumFailures, firstLockSeconds, longestLockSeconds]);
  }

  async clear(subject: string): Promise<void> {
    await this.database.repository(SignInLock).delete({ subject });
  }

  /** Deletes at most `limit` rows that no longer count. Returns their number. */
  async forget(limit = 1000): Promise<number> {
    return this.database.execute(FORGET, [limit, LOCK_RULE.windowSeconds]);
  }
}
