import { Injectable } from '@nestjs/common';
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

  /** To one address. It leaves a moment after the commit, and is tried for a day. */
  async post(mail: NewMail): Promise<void> {
    await this.mails.insert(mail);
    this.database.afterCommit(() => this.listeners.forEach((listener) => listener()));
  }

  /** Calls `listener` whenever this process has posted a mail; others' mails are found by looking. */
  onPosted(listener: () => void): void {
    this.listeners.push(listener);
  }
}
