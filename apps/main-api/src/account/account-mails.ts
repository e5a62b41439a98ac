import { Inject, Injectable } from '@nestjs/common';
import type { JoinRequestId, TenantId } from '@libs/domain';
import type { User } from '@libs/persistence/organization';
import { MAIN_API_CONFIG, type MainApiConfig } from '../config.js';
import { renderMail, shownAddress, Mailbox } from '../mail/index.js';
import { pageUrl } from '../platform/index.js';

/** The recipient, with the name that the user chose. */
type Reader = Pick<User, 'email' | 'name'>;

/** A tenant with a domain, and a user who may join it. */
export interface Newcomer {
  user: Reader;
  tenant: { id: TenantId; name: string };
  owner: Reader;
}

/**
 * The mails about accounts. A mail to an address that nobody has proved has no text that a person chose, such as a name: anybody can
 * sign up with the address of somebody else. A mail to an owner has no name of somebody who is not a member yet.
 */
@Injectable()
export class AccountMails {
  constructor(
    private readonly mailbox: Mailbox,
    @Inject(MAIN_API_CONFIG) private readonly config: MainApiConfig,
  ) {}

  /** Mails the link that verifies the address. */
  async verification({ email }: Pick<Reader, 'email'>, token: string): Promise<void> {
    const content = renderMail({
      paragraphs: [
        'Hello,',
        'somebody signed up to Landlord with this address. If you did, verify the address with your password:',
      ],
      link: { words: 'Verify your e-mail address', url: pageUrl(this.config, '/verify', token) },
      codes: [token],
      closing: [
        'The link works once, for 24 hours. The line below the link contains the token, for programs.',
        'If you did not sign up, do nothing. The link does nothing without the password from the sign-up.',
      ],
    });
    await this.mailbox.post({ to: email, subject: 'Verify your e-mail address', ...content });
  }

  /** Lets the reader set a new password. */
  async passwordReset({ email }: Pick<Reader, 'email'>, token: string): Promise<void> {
    const content = renderMail({
      paragraphs: ['Hello,', 'somebody asked for a new password for your account. If you did, choose a new password:'],
      ...this.resetting(token),
    });
    await this.mailbox.post({ to: email, subject: 'Choose a new password', ...content });
  }

  /** For a second sign-up with the same address: only the owner of the mailbox learns that an account exists. */
  async accountExists({ email }: Pick<Reader, 'email'>, token: string): Promise<void> {
    const content = renderMail({
      paragraphs: [
        'Hello,',
        'somebody signed up to Landlord with this address. The address has an account already. Nothing has changed.',
        'If you signed up, sign in with your password, or choose a new password:',
      ],
      ...this.resetting(token),
    });
    await this.mailbox.post({ to: email, subject: 'You have an account already', ...content });
  }

  /** Informs the reader that the password has changed. */
  async passwordChanged({ email }: Pick<Reader, 'email'>): Promise<void> {
    const content = renderMail({
      paragraphs: ['Hello,', 'the password of your account has changed. All other sessions have ended.'],
      link: { words: 'If you did not change the password, choose a new one now', url: pageUrl(this.config, '/forgot') },
    });
    await this.mailbox.post({ to: email, subject: 'Your password was changed', ...content });
  }

  /** Informs the owner that a user has joined through the domain. */
  async joined({ user, tenant, owner }: Newcomer): Promise<void> {
    const content = renderMail({
      paragraphs: [
        `Hello ${owner.name},`,
        `${shownAddress(user.email)} has joined "${tenant.name}" with the role viewer. The address belongs to a domain of the organization.`,
        'The setting join_policy of the organization decides who may join.',
      ],
    });
    await this.mailbox.post({
      to: owner.email,
      subject: `${shownAddress(user.email)} has joined ${tenant.name}`,
      ...content,
    });
  }

  /** Asks the owner to admit a user. */
  async joinRequested({ user, tenant, owner }: Newcomer, requestId: JoinRequestId): Promise<void> {
    const url = pageUrl(this.config, `/t/${tenant.id}/join-requests/${requestId}`);
    const content = renderMail({
      paragraphs: [
        `Hello ${owner.name},`,
        `${shownAddress(user.email)} asks to join "${tenant.name}". The address is verified, and belongs to a domain of the organization.`,
      ],
      link: { words: 'Approve or reject the request', url },
      closing: [`With the API: PUT /tenants/${tenant.id}/join_requests/${requestId}/approve, or …/reject.`],
    });
    await this.mailbox.post({
      to: owner.email,
      subject: `${shownAddress(user.email)} asks to join ${tenant.name}`,
      ...content,
    });
  }

  private resetting(token: string): Pick<Parameters<typeof renderMail>[0], 'link' | 'codes' | 'closing'> {
    return {
      link: { words: 'Choose a new password', url: pageUrl(this.config, '/reset', token) },
      codes: [token],
      closing: [
        'The link works once, for 30 minutes. The line below the link contains the token, for programs.',
        'If you did not ask, do nothing. Your password stays the same.',
      ],
    };
  }
}
