import { Injectable } from '@nestjs/common';
import { withoutWebAddresses } from '@libs/domain';
import { Database, Secrets } from '@libs/persistence';
import { MailsRepository, type NewMail } from '@libs/persistence/organization';

/** Where rooms leave mails. Posting is a row in the caller's transaction: a mail exists exactly when what it tells of does. */
@Injectable()
export class Mailbox {
  private readonly mails: MailsRepository;
  private readonly listeners: (() => void)[] = [];

  constructor(
    private readonly database: Database,
    secrets: Secrets,
  ) {
    this.mails = new MailsRepository(database, secrets);
  }

  /** Each to one address, in one statement. They leave a moment after the commit, and are tried for a day. */
  async post(...mails: NewMail[]): Promise<void> {
    if (mails.length === 0) return;
    await this.mails.insert(mails.map((mail) => ({ ...mail, subject: withoutWebAddresses(mail.subject) })));
    this.database.afterCommit(() => this.listeners.forEach((listener) => listener()));
  }

  /** Calls `listener` whenever this process has posted a mail; others' mails are found by looking. */
  onPosted(listener: () => void): void {
    this.listeners.push(listener);
  }
}
