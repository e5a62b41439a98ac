import { Injectable } from '@nestjs/common';
import {
  EmailTokensRepository,
  InvitationsRepository,
  ProtectionCodesRepository,
  SessionsRepository,
  SignInLocksRepository,
} from '@libs/persistence/organization';

/** Ends expired invitations, and deletes expired rows of users in batches. */
@Injectable()
export class AccountCleanup {
  constructor(
    private readonly codes: ProtectionCodesRepository,
    private readonly invitations: InvitationsRepository,
    private readonly sessions: SessionsRepository,
    private readonly emailTokens: EmailTokensRepository,
    private readonly locks: SignInLocksRepository,
  ) {}

  async run(): Promise<void> {
    await this.codes.forgetUnscoped();
    await this.invitations.expire();
    await this.invitations.forgetCancelledUnscoped();
    for (const rows of [this.sessions, this.emailTokens, this.locks]) while ((await rows.forget()) > 0);
  }
}
