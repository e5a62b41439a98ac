import { Inject, Injectable } from '@nestjs/common';
import type { User } from '@libs/persistence/organization';
import { MAIN_API_CONFIG, type MainApiConfig } from '../config.js';
import { rendered, Mailbox } from '../mail/index.js';
import { pageUrl } from '../platform/index.js';

/** The recipient, with the name that the user chose. */
type Reader = Pick<User, 'email' | 'name'>;

/** A tenant with a domain, and a user who may join it. */
export interface Newcomer {
  user: Reader;
  tenant: { id: number; name: string };
  owner: Reader;
}

/** The mails about accounts. */
@Injectable()
export class AccountMails {
  constructor(
    private readonly mailbox: Mailbox,
    @Inject(MAIN_API_CONFIG) private readonly config: MainApiConfig,
  ) {}

  /** Mails the link that verifies the address. */
  async verification({ email, name }: Reader, token: string): Promise<void> {
    const content = rendered({
      paragraphs: [
        `Hello ${name},`,
        'somebody signed up to Landlord with this address. If it was you, verify the address with your password:',
      ],
      link: { words: 'Verify your e-mail address', url: this.url('verify', { token }) },
      codes: [token],
      closing: [
        'The link works once, for 24 hours. The line below it is the same for programs.',
        'If it was not you, do nothing. The link asks for the password of whoever signed up, and does nothing without it.',
      ],
    });
    await this.mailbox.post({ to: email, subject: 'Verify your e-mail address', ...content });
  }

  /** Lets the reader set a new password. */
  async passwordReset({ email, name }: Reader, token: string): Promise<void> {
    const content = rendered({
      paragraphs: [`Hello ${name},`, 'somebody asked for a new password for your account. If it was you, choose one:'],
      ...this.resetting(token),
    });
    await this.mailbox.post({ to: email, subject: 'Choose a new password', ...content });
  }

  /** For a second sign-up with the same address: only the owner of the mailbox learns that an account exists. */
  async accountExists({ email, name }: Reader, token: string): Promise<void> {
    const content = rendered({
      paragraphs: [
        `Hello ${name},`,
        'somebody signed up to Landlord with this address, but there is an account for it already. Nothing was changed.',
        'If it was you, sign in with your password, or choose a new one:',
      ],
      ...this.resetting(token),
    });
    await this.mailbox.post({ to: email, subject: 'You have an account already', ...content });
  }

  /** Informs the reader that the password has changed. */
  async passwordChanged({ email, name }: Reader): Promise<void> {
    const content = rendered({
      paragraphs: [`Hello ${name},`, 'the password of your account was changed, and all other sessions have ended.'],
      link: { words: 'If it was not you, choose a new one at once', url: this.url('forgot', {}) },
    });
    await this.mailbox.post({ to: email, subject: 'Your password was changed', ...content });
  }

  /** Informs the owner that a user has joined through the domain. */
  async joined({ user, tenant, owner }: Newcomer): Promise<void> {
    const content = rendered({
      paragraphs: [
        `Hello ${owner.name},`,
        `${user.name} (${user.email}) has joined "${tenant.name}" with the role viewer, because the address is in its domain.`,
        'Who may join by themselves is a setting of the organization (join_policy).',
      ],
    });
    await this.mailbox.post({ to: owner.email, subject: `${user.name} has joined ${tenant.name}`, ...content });
  }

  /** Asks the owner to admit a user. */
  async joinRequested({ user, tenant, owner }: Newcomer, requestId: number): Promise<void> {
    const query = { tenant_id: String(tenant.id), id: String(requestId) };
    const content = rendered({
      paragraphs: [
        `Hello ${owner.name},`,
        `${user.name} (${user.email}) asks to join "${tenant.name}". The address is verified, and in its domain.`,
      ],
      link: { words: 'Let them in, or not', url: this.url('join_request', query) },
      closing: [`By the API: PUT /tenants/${tenant.id}/join_requests/${requestId}/approve, or …/reject.`],
    });
    await this.mailbox.post({ to: owner.email, subject: `${user.name} asks to join ${tenant.name}`, ...content });
  }

  private resetting(token: string): Pick<Parameters<typeof rendered>[0], 'link' | 'codes' | 'closing'> {
    return {
      link: { words: 'Choose a new password', url: this.url('reset', { token }) },
      codes: [token],
      closing: [
        'The link works once, for 30 minutes. The line below it is the same for programs.',
        'If it was not you, do nothing: the password stays as it is.',
      ],
    };
  }

  private url(page: string, query: Record<string, string>): string {
    return pageUrl(this.config, page, query);
  }
}
