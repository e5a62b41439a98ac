import { Injectable } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import { networkOf } from '@libs/domain/admission';
import { Prepared } from '@libs/http';
import { SessionsRepository, UsersRepository, type User } from '@libs/persistence/organization';
import { AccountMails } from '../account-mails.js';
import { AddressRecovery } from '../address-recovery.js';
import type { ClientFacts } from '../client.decorator.js';
import type { ResetPasswordDto } from '../dto/password.dto.js';
import { EmailTokens } from '../email-tokens.js';
import { evenMs } from './even-time.js';
import { PasswordHasher } from './password-hasher.js';
import { requireGoodPassword } from './require-good-password.js';

/** Sets a new password for a user who has forgotten the old one. */
@Injectable()
export class PasswordResetsService {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsRepository,
    private readonly hasher: PasswordHasher,
    private readonly tokens: EmailTokens,
    private readonly mails: AccountMails,
    private readonly recovery: AddressRecovery,
  ) {}

  /** Mails a link if an account exists. Answer and duration are the same without an account. */
  async request(email: string): Promise<Prepared<void>> {
    return new Prepared(async () => {
      const user = await this.users.findByEmail(email);
      const issued = user && (await this.tokens.issue(user.id, 'reset'));
      if (issued && 'token' in issued) await this.mails.passwordReset(user, issued.token);
    }, evenMs());
  }

  /**
   * Sets the password and ends all sessions. The token verifies the address.
   * @throws DomainError email_token_invalid, validation_failed, service_busy
   */
  async complete({ token, password }: ResetPasswordDto, client: ClientFacts): Promise<Prepared<void>> {
    const user = existing(await this.users.find(await this.tokens.userOf('reset', token)));
    requireGoodPassword(password, user.email, '/password');
    const passwordHash = await this.hasher.hash(password, networkOf(client.address));
    return new Prepared(async () => {
      const user = existing(await this.users.findForUpdate(await this.tokens.use('reset', token)));
      await this.users.setPassword(user.id, passwordHash);
      await this.sessions.endOthers(user.id, null);
      await this.recovery.recover(user, client);
      await this.tokens.removeAll(user.id);
      await this.mails.passwordChanged(user);
    });
  }
}

function existing(user: User | null): User {
  if (!user) throw new DomainError('email_token_invalid', 'The link belongs to no account.');
  return user;
}
