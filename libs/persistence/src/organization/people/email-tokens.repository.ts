import { Injectable } from '@nestjs/common';
import type { UserId } from '@libs/domain';
import { IsNull } from 'typeorm';
import { inFuture } from '../../conditions.js';
import { statement, Database } from '../../database.js';
import { EmailToken } from '../entities/email-token.entity.js';

/** The purpose of a mailed link. */
export type EmailTokenPurpose = 'verify' | 'reset';

/** The purpose of a link: mailed, or printed at the start of an installation on one machine. */
type LinkPurpose = EmailTokenPurpose | 'first_sign_in';

/** A token for a mail to its user. Only its hash is stored. */
export interface NewEmailToken {
  userId: UserId;
  purpose: EmailTokenPurpose;
  tokenHash: Buffer;
  validSeconds: number;
  /** Minimum time since the previous token. */
  pauseSeconds: number;
}

const HOLD_USER = statement('email_token.hold_user', 'select 1 from users where id = $1 for no key update');
const WAIT = statement(
  'email_token.wait',
  `select extract(epoch from max(created_at) + make_interval(secs => $3) - clock_timestamp())::float8 as seconds
     from email_tokens where user_id = $1 and purpose = $2`,
);
const INSERT = statement(
  'email_token.insert',
  `insert into email_tokens (user_id, purpose, token_hash, expires_at)
   values ($1, $2, $3, now() + make_interval(secs => $4)) returning expires_at`,
);
const FORGET = statement(
  'email_token.forget',
  `delete from email_tokens where id in
     (select id from email_tokens where expires_at < now() - interval '1 hour' order by expires_at limit $1)`,
);

/** One-time links in mails. A user has at most one per purpose, the newest. */
@Injectable()
export class EmailTokensRepository {
  constructor(private readonly database: Database) {}

  /** Replaces the user's previous token. Returns the expiry, or the seconds to wait when the previous token is too new. */
  async issue(token: NewEmailToken): Promise<{ expiresAt: Date } | { waitSeconds: number }> {
    const of = [token.userId, token.purpose];
    // Without the lock, two concurrent requests could both find no token and store two.
    await this.database.query(HOLD_USER, [token.userId]);
    const [last] = await this.database.query<{ seconds: number | null }>(WAIT, [...of, token.pauseSeconds]);
    if (last?.seconds && last.seconds > 0) return { waitSeconds: Math.ceil(last.seconds) };
    await this.database.repository(EmailToken).delete({ user_id: token.userId, purpose: token.purpose });
    const [row] = await this.database.query<{ expires_at: Date }>(INSERT, [...of, token.tokenHash, token.validSeconds]);
    return { expiresAt: (row as { expires_at: Date }).expires_at };
  }

  /** Returns the user of the token. Null when the token is wrong, used or expired. */
  async find(purpose: EmailTokenPurpose, tokenHash: Buffer): Promise<UserId | null> {
    const token = await this.database.repository(EmailToken).findOneBy(usable(purpose, tokenHash));
    return token?.user_id ?? null;
  }

  /** Marks the token as used. Returns its user, or null when the token is wrong, used or expired. */
  async use(purpose: LinkPurpose, tokenHash: Buffer): Promise<UserId | null> {
    // If two requests show the same token, only one finds it unused. The other waits for the row lock and then finds it used.
    const result = await this.database
      .repository(EmailToken)
      .update(usable(purpose, tokenHash), { used_at: () => 'now()' }, { returning: ['user_id'] });
    const [row] = result.raw as Pick<EmailToken, 'user_id'>[];
    return row?.user_id ?? null;
  }

  /** Invalidates all links of the user. */
  async removeAll(userId: UserId): Promise<void> {
    await this.database.repository(EmailToken).delete({ user_id: userId });
  }

  /** Deletes at most `limit` tokens that expired an hour ago. Returns their number. */
  async forget(limit = 1000): Promise<number> {
    return this.database.execute(FORGET, [limit]);
  }
}

const usable = (purpose: LinkPurpose, tokenHash: Buffer) => ({
  ...{ token_hash: tokenHash, purpose, used_at: IsNull(), expires_at: inFuture() },
});
