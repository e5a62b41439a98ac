import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { MailId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import type { SecretLocation } from '../../sealed-columns.js';
import { Secrets } from '../../secrets.js';
import type { Mail } from '../entities/mail.entity.js';

/** The content of a mail: plain text, and optionally HTML with the same content. */
export interface MailContent {
  text: string;
  html?: string | undefined;
}

/** A mail to one address, before it is queued. */
export interface NewMail extends MailContent {
  to: string;
  subject: string;
}

/** A mail that one worker is sending. */
export interface TakenMail {
  id: MailId;
  to: string;
  subject: string;
  /** The sealed columns. `contentOf` opens them. */
  sealedText: string;
  sealedHtml: string | null;
  /** The same for every attempt. */
  messageId: string;
  createdAt: Date;
  /** Number of this attempt, from 1. Writes count only while this attempt is the last one. */
  attempt: number;
}

type MailRow = Pick<Mail, 'id' | 'message_id' | 'recipient' | 'subject' | 'body' | 'html' | 'attempts' | 'created_at'>;

const INSERT = statement(
  'mail.insert',
  `insert into mails (message_id, recipient, subject, body, html)
   select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[])`,
);
// Taking a mail moves its next attempt to the end of the lease. If the worker dies, another worker takes the mail then.
const TAKE = statement(
  'mail.take',
  `update mails m set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $2)
     from (select id from mails where status = 'waiting' and next_attempt_at <= now()
            order by next_attempt_at, id limit $1 for update skip locked) due
    where m.id = due.id
   returning m.id, m.message_id, m.recipient, m.subject, m.body, m.html, m.attempts, m.created_at`,
);
// Deletes the text as soon as no attempt needs it, because it can contain a secret.
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

const textLocation = (messageId: string): SecretLocation => ({ table: 'mails', column: 'body', row: messageId });
const htmlLocation = (messageId: string): SecretLocation => ({ table: 'mails', column: 'html', row: messageId });

/** The queue of mails. Their texts are sealed. */
@Injectable()
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

  /** Takes due mails for `leaseSeconds`. Other workers skip them during that time. */
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

  /** @throws SecretUnreadable when its key is lost */
  contentOf({ messageId, sealedText, sealedHtml }: TakenMail): MailContent {
    return {
      text: this.secrets.open(textLocation(messageId), sealedText),
      html: sealedHtml === null ? undefined : this.secrets.open(htmlLocation(messageId), sealedHtml),
    };
  }

  private sealed({ to, subject, text, html }: NewMail) {
    const messageId = randomUUID();
    return {
      messageId,
      to,
      subject,
      text: this.secrets.seal(textLocation(messageId), text),
      html: html === undefined ? null : this.secrets.seal(htmlLocation(messageId), html),
    };
  }

  async delivered({ id, attempt }: TakenMail): Promise<void> {
    await this.database.execute(END, [id, attempt, 'delivered', null]);
  }

  /** Ends all attempts. Returns false when another worker has taken the mail. */
  async fail({ id, attempt }: TakenMail, error: string): Promise<boolean> {
    return (await this.database.execute(END, [id, attempt, 'failed', error])) === 1;
  }

  /** Schedules the next attempt in `seconds`. Returns false when the mail is a day old or another worker has taken it. */
  async postpone({ id, attempt }: TakenMail, seconds: number, error: string): Promise<boolean> {
    return (await this.database.execute(POSTPONE, [id, attempt, seconds, error])) === 1;
  }

  /** Per status: the number of mails, and the age of the oldest in seconds. */
  async census(): Promise<{ status: string; mails: number; age_seconds: number }[]> {
    return this.database.query(CENSUS);
  }

  /** Deletes mails that were delivered a day ago, and mails that failed a month ago. */
  async forget(): Promise<void> {
    await this.database.execute(FORGET);
  }
}
