import { randomUUID } from 'node:crypto';
import { statement, type Database } from '../../database.js';
import type { SecretPlace } from '../../sealed-columns.js';
import type { Secrets } from '../../secrets.js';

/** What a mail says: plain text, and perhaps the same for readers who show more. */
export interface MailContent {
  text: string;
  html?: string | undefined;
}

/** A mail as it is asked for, to one address. */
export interface NewMail extends MailContent {
  to: string;
  subject: string;
}

/** A mail that one worker is delivering. */
export interface TakenMail {
  id: number;
  to: string;
  subject: string;
  /** As they are stored; `contentOf` opens them. */
  sealedText: string;
  sealedHtml: string | null;
  /** The same at every attempt. */
  messageId: string;
  createdAt: Date;
  /** Which attempt this is, from 1; what is written of it counts only while it is the last one. */
  attempt: number;
}

interface MailRow {
  id: number;
  message_id: string;
  recipient: string;
  subject: string;
  body: string;
  html: string | null;
  attempts: number;
  created_at: Date;
}

const INSERT = statement(
  'mail.insert',
  `insert into mails (message_id, recipient, subject, body, html)
   select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[])`,
);
// Being taken moves the next attempt behind the lease: whoever dies with a mail in hand leaves it to another.
const TAKE = statement(
  'mail.take',
  `update mails m set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $2)
     from (select id from mails where status = 'waiting' and next_attempt_at <= now()
            order by next_attempt_at, id limit $1 for update skip locked) due
    where m.id = due.id
   returning m.id, m.message_id, m.recipient, m.subject, m.body, m.html, m.attempts, m.created_at`,
);
// The text goes as soon as nobody needs it any more: it may hold a secret.
const END = statement(
  'mail.end',
  `update mails set status = $3, ended_at = now(), body = '', html = null, last_error = $4
    where id = $1 and attempts = $2 and status = 'waiting'`,
);
const POSTPONE = statement(
  'mail.postpone',
  `update mails set next_attempt_at = now() + make_interval(secs => $3), last_error = $4
    where id = $1 and attempts = $2 and status = 'waiting' and created_at > now() - interval '1 day'`,
);
const CENSUS = statement(
  'mail.census',
  `select status, count(*)::int as mails, extract(epoch from now() - min(created_at))::float8 as age_seconds
     from mails group by status`,
);
const FORGET = statement(
  'mail.forget',
  `delete from mails where (status = 'delivered' and ended_at < now() - interval '1 day')
      or (status = 'failed' and ended_at < now() - interval '30 days')`,
);

const textPlace = (messageId: string): SecretPlace => ({ table: 'mails', column: 'body', row: messageId });
const htmlPlace = (messageId: string): SecretPlace => ({ table: 'mails', column: 'html', row: messageId });

/** Mails from their posting to their end; what they say is sealed. */
export class MailsRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  async insert(mails: readonly NewMail[]): Promise<void> {
    const sealed = mails.map((mail) => this.sealed(mail));
    await this.database.execute(INSERT, [
      sealed.map(({ messageId }) => messageId),
      sealed.map(({ to }) => to),
      sealed.map(({ subject }) => subject),
      sealed.map(({ text }) => text),
      sealed.map(({ html }) => html),
    ]);
  }

  /** Takes mails that are due, for so many seconds; other workers pass them over meanwhile. */
  async take(limit: number, leaseSeconds: number): Promise<TakenMail[]> {
    const rows = await this.database.query<MailRow>(TAKE, [limit, leaseSeconds]);
    return rows.map((row) => ({
      id: row.id,
      messageId: row.message_id,
      to: row.recipient,
      subject: row.subject,
      sealedText: row.body,
      sealedHtml: row.html,
      createdAt: row.created_at,
      attempt: row.attempts,
    }));
  }

  /** @throws SecretUnreadable when its key is gone */
  contentOf({ messageId, sealedText, sealedHtml }: TakenMail): MailContent {
    return {
      text: this.secrets.open(textPlace(messageId), sealedText),
      html: sealedHtml === null ? undefined : this.secrets.open(htmlPlace(messageId), sealedHtml),
    };
  }

  private sealed({ to, subject, text, html }: NewMail) {
    const messageId = randomUUID();
    return {
      messageId,
      to,
      subject,
      text: this.secrets.seal(textPlace(messageId), text),
      html: html === undefined ? null : this.secrets.seal(htmlPlace(messageId), html),
    };
  }

  async delivered({ id, attempt }: TakenMail): Promise<void> {
    await this.database.execute(END, [id, attempt, 'delivered', null]);
  }

  /** Nothing more will be tried; false when another worker has taken it. */
  async fail({ id, attempt }: TakenMail, error: string): Promise<boolean> {
    return (await this.database.execute(END, [id, attempt, 'failed', error])) === 1;
  }

  /** Tries again after so many seconds; false when the mail is a day old, or another worker has taken it. */
  async postpone({ id, attempt }: TakenMail, seconds: number, error: string): Promise<boolean> {
    return (await this.database.execute(POSTPONE, [id, attempt, seconds, error])) === 1;
  }

  /** By status: how many, and the seconds since the oldest was posted. */
  async census(): Promise<{ status: string; mails: number; age_seconds: number }[]> {
    return this.database.query(CENSUS);
  }

  /** Removes what was delivered a day ago, and what failed a month ago. */
  async forget(): Promise<void> {
    await this.database.execute(FORGET);
  }
}
