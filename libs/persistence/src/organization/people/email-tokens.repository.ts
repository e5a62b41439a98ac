import { statement, type Database } from '../../database.js';

/** What a mailed link is for. */
export type EmailTokenPurpose = 'verify' | 'reset';

/** A token on its way to its user; only its hash is kept. */
export interface NewEmailToken {
  userId: number;
  purpose: EmailTokenPurpose;
  tokenHash: Buffer;
  validSeconds: number;
  /** How long the last one must be ago. */
  pauseSeconds: number;
}

const HOLD_USER = statement('email_token.hold_user', 'select 1 from users where id = $1 for no key update');
const WAIT = statement(
  'email_token.wait',
  `select extract(epoch from max(created_at) + make_interval(secs => $3) - clock_timestamp())::float8 as seconds
     from email_tokens where user_id = $1 and purpose = $2`,
);
const REPLACE = statement('email_token.replace', 'delete from email_tokens where user_id = $1 and purpose = $2');
const INSERT = statement(
  'email_token.insert',
  `insert into email_tokens (user_id, purpose, token_hash, expires_at)
   values ($1, $2, $3, now() + make_interval(secs => $4)) returning expires_at`,
);
const FIND = statement(
  'email_token.find',
  'select user_id from email_tokens where token_hash = $1 and purpose = $2 and used_at is null and expires_at > now()',
);
// Of two who show the same token one finds it unused: the other waits for the row, and then finds it used.
const USE = statement(
  'email_token.use',
  `update email_tokens set used_at = now()
    where token_hash = $1 and purpose = $2 and used_at is null and expires_at > now() returning user_id`,
);
const REMOVE_ALL = statement('email_token.remove_all', 'delete from email_tokens where user_id = $1');
const FORGET = statement(
  'email_token.forget',
  `delete from email_tokens where id in
     (select id from email_tokens where expires_at < now() - interval '1 hour' order by expires_at limit $1)`,
);

/** One-time links by mail; of each purpose a user has one, the last. */
export class EmailTokensRepository {
  constructor(private readonly database: Database) {}

  /** Replaces the user's last one; answers when it expires, or the seconds to wait when the last one is too fresh. */
  async issue(token: NewEmailToken): Promise<{ expiresAt: Date } | { waitSeconds: number }> {
    const of = [token.userId, token.purpose];
    // Two requests at once would otherwise both find no token, and leave two.
    await this.database.query(HOLD_USER, [token.userId]);
    const [last] = await this.database.query<{ seconds: number | null }>(WAIT, [...of, token.pauseSeconds]);
    if (last?.seconds && last.seconds > 0) return { waitSeconds: Math.ceil(last.seconds) };
    await this.database.execute(REPLACE, of);
    const [row] = await this.database.query<{ expires_at: Date }>(INSERT, [...of, token.tokenHash, token.validSeconds]);
    return { expiresAt: (row as { expires_at: Date }).expires_at };
  }

  /** Whose it is; null when it is wrong, used or expired. */
  async find(purpose: EmailTokenPurpose, tokenHash: Buffer): Promise<number | null> {
    const [row] = await this.database.query<{ user_id: number }>(FIND, [tokenHash, purpose]);
    return row?.user_id ?? null;
  }

  /** Uses it up; whose it was, or null when it is wrong, used or expired. */
  async use(purpose: EmailTokenPurpose, tokenHash: Buffer): Promise<number | null> {
    const [row] = await this.database.query<{ user_id: number }>(USE, [tokenHash, purpose]);
    return row?.user_id ?? null;
  }

  /** None of the user's links opens anything any more. */
  async removeAll(userId: number): Promise<void> {
    await this.database.execute(REMOVE_ALL, [userId]);
  }

  /** Removes at most so many that expired an hour ago; how many there were. */
  async forget(limit = 1000): Promise<number> {
    return this.database.execute(FORGET, [limit]);
  }
}
