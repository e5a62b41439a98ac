import { Injectable } from '@nestjs/common';
import { withoutWebAddresses } from '@libs/domain';
import { Database } from '@libs/persistence';
import { MailsRepository, type NewMail } from '@libs/persistence/organization';

/**
 * Modules post mails here. Posting inserts a row in the transaction of the caller. So the mail exists exactly if the
 * change that it reports is committed.
 */
@Injectable()
export class Mailbox {
  private readonly listeners: (() => void)[] = [];

  constructor(
    private readonly database: Database,
    private readonly mails: MailsRepository,
  ) {}

  /** Posts all mails in one statement; each has one address. They are sent soon after the commit, and retried for a day. */
  async post(...mails: NewMail[]): Promise<void> {
    if (mails.length === 0) return;
    await this.mails.insert(mails.map((mail) => ({ ...mail, subject: withoutWebAddresses(mail.subject) })));
    this.database.afterCommit(() => this.listeners.forEach((listener) => listener()));
  }

  /** Calls `listener` when this process has posted a mail. The periodic pass finds the mails of other processes. */
  onPosted(listener: () => void): void {
    this.listeners.push(listener);
  }
}
