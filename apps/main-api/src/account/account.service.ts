import { Injectable } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import { networkOf } from '@libs/domain/admission';
import { Prepared, type ActingCaller } from '@libs/http';
import { SessionsRepository, UsersRepository } from '@libs/persistence/organization';
import { AccountLog } from './account-log.js';
import { AccountMails } from './account-mails.js';
import type { ClientFacts } from './client.decorator.js';
import type { AccountView } from './dto/account.view.js';
import type { ChangePasswordDto } from './dto/password.dto.js';
import type { AccountSettingsDto } from './dto/settings.dto.js';
import { PasswordCheck } from './passwords/password-check.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { requireGoodPassword } from './passwords/require-good-password.js';

/** The account that a user reads and changes. */
@Injectable()
export class AccountService {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsRepository,
    private readonly passwords: PasswordCheck,
    private readonly hasher: PasswordHasher,
    private readonly mails: AccountMails,
    private readonly log: AccountLog,
  ) {}

  async get({ caller, session }: ActingCaller): Promise<AccountView> {
    const account = await this.users.account(caller.user.id);
    // The user was deleted between the guard and this query.
    if (!account) throw new DomainError('unauthenticated', 'The session has ended.');
    const { created_at, tenants, ...user } = account;
    return { ...user, csrf_token: session.csrfToken, tenants, created_at: created_at.toISOString() };
  }

  async update({ caller }: ActingCaller, { name }: AccountSettingsDto): Promise<void> {
    await this.users.rename(caller.user.id, name);
  }

  /** Also ends all other sessions. @throws DomainError invalid_credentials, rate_limited, validation_failed, service_busy */
  async changePassword(
    { caller, session, traceId }: ActingCaller,
    { password, new_password: newPassword }: ChangePasswordDto,
    client: ClientFacts,
  ): Promise<Prepared<void>> {
    requireGoodPassword(newPassword, session.email, '/new_password');
    const attempt = await this.passwords.look(session.email, password, client);
    const passwordHash = attempt.isRight ? await this.hasher.hash(newPassword, networkOf(client.address)) : '';
    return new Prepared(async () => {
      const user = await this.passwords.judge({ ...attempt, newHash: null });
      await this.users.setPassword(user.id, passwordHash);
      const sessions = await this.sessions.endOthers(user.id, session.id);
      await this.mails.passwordChanged(user);
      this.log.tell('password changed', caller.user.id, { traceId }, { sessions });
    });
  }
}
