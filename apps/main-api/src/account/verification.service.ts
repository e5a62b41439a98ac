import { Injectable } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import { Database } from '@libs/persistence';
import { UsersRepository } from '@libs/persistence/organization';
import { AccountLog } from './account-log.js';
import type { ClientFacts } from './client.decorator.js';
import { DomainAdmission } from './domain-admission.js';
import type { VerifiedView } from './dto/verified.view.js';
import { EmailTokens } from './email-tokens.js';

/** The proof of an address by a mailed link. */
@Injectable()
export class VerificationService {
  private readonly users: UsersRepository;

  constructor(
    database: Database,
    private readonly tokens: EmailTokens,
    private readonly admission: DomainAdmission,
    private readonly log: AccountLog,
  ) {
    this.users = new UsersRepository(database);
  }

  /** @throws DomainError email_token_invalid */
  async verify(token: string, client: ClientFacts): Promise<VerifiedView> {
    const user = await this.users.findForUpdate(await this.tokens.use('verify', token));
    if (!user) throw new DomainError('email_token_invalid', 'The link belongs to nobody.');
    const { workspace, tenantId } = await this.admission.admit(user, true, client);
    this.log.tell('address proved', user.id, client, { workspace });
    return { email: user.email, workspace, ...(tenantId !== undefined && { tenant_id: tenantId }) };
  }
}
