import { Injectable } from '@nestjs/common';
import {
  EmailTokensRepository,
  InvitationsRepository,
  ProtectionCodesRepository,
  SessionsRepository,
  SignInLocksRepository,
} from '@libs/persistence/organization';
import { AbandonedLogins } from './abandoned-logins.js';

/** Ends expired invitations, deletes the keys of unfinished logins, and deletes expired rows of users in batches. */
@Injectable()
export class AccountCleanup {
  constructor(
    private readonly codes: ProtectionCodesRepository,
    private readonly invitations: InvitationsRepository,
    private readonly sessions: SessionsRepository,
    private readonly emailTokens: EmailTokensRepository,
    private readonly locks: SignInLocksRepository,
    private readonly logins: AbandonedLogins,
  ) {}

  async run(): Promise<void> {
    await this.codes.forgetUnscoped();
    await this.invitations.expireUnscoped();
    await this.invitations.forgetCancelledUnscoped();
    await this.logins.run();
    for (const rows of [this.sessions, this.emailTokens, this.locks]) while ((await rows.forget()) > 0);
  }
}
