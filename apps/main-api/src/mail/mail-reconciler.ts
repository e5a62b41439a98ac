import { Injectable } from '@nestjs/common';
import { MailsRepository, type TakenMail } from '@libs/persistence/organization';
import { Reconciler } from '@libs/workflow';
import { mailErrorName, within } from './mail-attempt.js';
import { MailTransport } from './mail-transport.js';
import { Mailbox } from './mailbox.js';

const PERIOD_MS = 2_000;
/** This process knows the mails that it posts itself. Others are those of a process that was killed, and repetitions. */
const QUIET_MS = 5_000;
const FORGET_PERIOD_MS = 3600_000;
/** The number of mails that are delivered at the same time. */
const BATCH = 10;
/** Longer than the longest delivery, so that no other worker takes a mail whose delivery still runs. */
const LEASE_SECONDS = 120;
const FIRST_PAUSE_SECONDS = 15;
const LONGEST_PAUSE_SECONDS = 2 * 3600;

/**
 * Delivers posted mails. Retries with growing pauses for a day. Safe in any number of processes: a worker takes a mail
 * with a lease, and only the worker that took it last can write its result. A mail that is delivered twice has the same
 * Message-ID.
 */
@Injectable()
export class MailReconciler extends Reconciler {
  private forgotAt = 0;

  constructor(
    private readonly mails: MailsRepository,
    mailbox: Mailbox,
    private readonly transport: MailTransport,
  ) {
    super('Mail', PERIOD_MS);
    mailbox.onPosted(() => this.wakeUp());
  }

  override onApplicationBootstrap(): void {
    super.onApplicationBootstrap();
    this.logger.log({ destination: this.transport.destination }, 'mails are delivered');
  }

  protected async pass(stopping: AbortSignal): Promise<number> {
    let mails: TakenMail[];
    let periodMs = QUIET_MS;
    do {
      mails = await this.mails.take(BATCH, LEASE_SECONDS);
      await Promise.all(mails.map((mail) => this.deliver(mail, stopping)));
      if (mails.length > 0) periodMs = PERIOD_MS;
    } while (mails.length === BATCH && !stopping.aborted);
    if (Date.now() - this.forgotAt >= FORGET_PERIOD_MS) {
      await this.mails.forget();
      this.forgotAt = Date.now();
    }
    return periodMs;
  }

  private async deliver(mail: TakenMail, stopping: AbortSignal): Promise<void> {
    try {
      await within(this.transport.deliver({ ...mail, ...this.mails.contentOf(mail) }), stopping);
    } catch (error) {
      return this.putOff(mail, mailErrorName(error));
    }
    await this.mails.delivered(mail);
  }

  private async putOff(mail: TakenMail, error: string): Promise<void> {
    const pause = Math.min(FIRST_PAUSE_SECONDS * 2 ** (mail.attempt - 1), LONGEST_PAUSE_SECONDS);
    const about = { mail: mail.messageId, attempt: mail.attempt, error };
    if (await this.mails.postpone(mail, pause, error)) this.logger.warn(about, 'mail was not delivered, will be later');
    else if (await this.mails.fail(mail, error)) this.logger.error(about, 'mail was given up after a day');
  }
}
