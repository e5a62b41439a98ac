import { Inject, Injectable } from '@nestjs/common';
import { DomainError, type UserId } from '@libs/domain';
import { networkOf } from '@libs/domain/admission';
import { Prepared, type ActingCaller } from '@libs/http';
import { Database } from '@libs/persistence';
import { foundTenant, UsersRepository } from '@libs/persistence/organization';
import { MAIN_API_CONFIG, type MainApiConfig } from '../config.js';
import { shownMailFolder } from '../mail/index.js';
import { AccountMails } from './account-mails.js';
import type { ClientFacts } from './client.decorator.js';
import { DomainAnnouncements } from './domain-announcements.js';
import type { SignUpDto } from './dto/sign-up.dto.js';
import type { SignedUpView } from './dto/signed-up.view.js';
import { EmailTokens } from './email-tokens.js';
import { evenMs } from './passwords/even-time.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { requireGoodPassword } from './passwords/require-good-password.js';

/** Creates a user and their first tenant. */
@Injectable()
export class SignUpService {
  constructor(
    private readonly database: Database,
    private readonly users: UsersRepository,
    private readonly hasher: PasswordHasher,
    private readonly tokens: EmailTokens,
    private readonly mails: AccountMails,
    private readonly announcements: DomainAnnouncements,
    @Inject(MAIN_API_CONFIG) private readonly config: MainApiConfig,
  ) {}

  /**
   * Creates a user and a tenant, and mails a link that verifies the address. For an address with an account, answer and
   * duration are the same, and the mail tells the owner about the account.
   * @throws DomainError validation_failed, service_busy
   */
  async signUp(dto: SignUpDto, client: ClientFacts): Promise<Prepared<SignedUpView>> {
    requireGoodPassword(dto.password, dto.email, '/password');
    const passwordHash = await this.hasher.hash(dto.password, networkOf(client.address));
    return new Prepared(async () => {
      const id = await this.users.insert({ email: dto.email, name: dto.name, passwordHash });
      await (id === null ? this.remind(dto.email) : this.begin(id, dto, client));
      return { email: dto.email, mail_folder: shownMailFolder(this.config, client.isFromThisMachine) };
    }, evenMs());
  }

  /** @throws DomainError email_already_verified, verification_already_sent */
  async sendVerification({ caller, session }: ActingCaller): Promise<void> {
    if (caller.isVerified) throw new DomainError('email_already_verified', `${session.email} is verified.`);
    const issued = await this.tokens.issue(caller.user.id, 'verify');
    if ('waitSeconds' in issued)
      throw new DomainError('verification_already_sent', 'A mail was sent less than a minute ago.', {
        retryAfterSeconds: issued.waitSeconds,
      });
    await this.mails.verification({ email: session.email }, issued.token);
  }

  private async begin(id: UserId, { name, tenant_name: tenantName }: SignUpDto, client: ClientFacts): Promise<void> {
    const user = await this.users.find(id);
    if (!user) return;
    const tenant = { name: tenantName ?? organizationOf(name), email: user.email, ownerId: id, plan: 'basic' as const };
    const { tenantId } = await foundTenant((prepared, values) => this.database.query(prepared, values), tenant);
    await this.announcements.founded({ id: tenantId, name: tenant.name }, user, client);
    const issued = await this.tokens.issue(id, 'verify');
    if ('token' in issued) await this.mails.verification(user, issued.token);
  }

  private async remind(email: string): Promise<void> {
    const user = await this.users.findByEmail(email);
    const issued = user && (await this.tokens.issue(user.id, 'reset'));
    if (issued && 'token' in issued) await this.mails.accountExists(user, issued.token);
  }
}

const LONGEST_NAME = 100;

/** Returns at most `length` code units of the text, and never half of a surrogate pair. */
const wellFormedStart = (text: string, length: number): string => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');

/** Returns "<name>'s organization", cut to the maximum length of a name. */
function organizationOf(name: string): string {
  const ending = "'s organization";
  return `${wellFormedStart(name, LONGEST_NAME - ending.length)}${ending}`;
}
