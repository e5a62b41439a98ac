import { Injectable } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import { Prepared } from '@libs/http';
import { UsersRepository } from '@libs/persistence/organization';
import { AccountLog } from './account-log.js';
import type { ClientFacts } from './client.decorator.js';
import { DomainAdmission } from './domain-admission.js';
import type { VerifiedView } from './dto/verified.view.js';
import type { VerifyDto } from './dto/verify.dto.js';
import { EmailTokens } from './email-tokens.js';
import { PasswordCheck } from './passwords/password-check.js';

/** Verifies an address: the person who signed up with the address also reads its mail. */
@Injectable()
export class VerificationService {
  constructor(
    private readonly users: UsersRepository,
    private readonly tokens: EmailTokens,
    private readonly passwords: PasswordCheck,
    private readonly admission: DomainAdmission,
    private readonly log: AccountLog,
  ) {}

  /**
   * The token shows that the caller reads the mail. The password shows that the reader is the person who signed up: an
   * attacker may sign up with the address of another person and hope that the owner follows the link.
   * @throws DomainError email_token_invalid, invalid_credentials, rate_limited, service_busy
   */
  async verify({ token, password }: VerifyDto, client: ClientFacts): Promise<Prepared<VerifiedView>> {
    const reader = await this.users.find(await this.tokens.userOf('verify', token));
    if (!reader) throw new DomainError('email_token_invalid', 'The link belongs to no account.');
    const attempt = await this.passwords.look(reader.email, password, client);
    return new Prepared(async () => {
      const user = await this.passwords.judge(attempt);
      await this.tokens.use('verify', token);
      const { workspace, tenantId } = await this.admission.admit(user, true, client);
      this.log.tell('address verified', user.id, client, { workspace });
      return { email: user.email, workspace, ...(tenantId !== undefined && { tenant_id: tenantId }) };
    });
  }
}
