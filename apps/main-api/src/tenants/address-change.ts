import { Injectable } from '@nestjs/common';
import type { ActingCaller } from '@libs/http';
import { TenantsRepository, type Tenant } from '@libs/persistence/organization';
import { renderMail, Mailbox, MailedCallers } from '../mail/index.js';

/** Further effects of a new address of an organization: one-time codes for protected resources are sent to this address. */
@Injectable()
export class AddressChange {
  constructor(
    private readonly tenants: TenantsRepository,
    private readonly mailbox: Mailbox,
    private readonly callers: MailedCallers,
  ) {}

  /**
   * Call it before the new address is written. The old address gets a mail, and still gets the codes for one more day. Nobody
   * has proved either, so the mail has no text that a person chose.
   */
  async announce(actor: ActingCaller, tenant: Tenant, next: string | null): Promise<void> {
    const { addresses, until } = await this.tenants.keepCodeAddress(tenant.id, next);
    const content = renderMail({
      paragraphs: [
        `${await this.callers.wordsOf(actor)} ${next === null ? 'removed' : 'changed'} the address of the organization ${tenant.id}.`,
        until === null
          ? 'One-time codes for what is protected go to the new address.'
          : `One-time codes for what is protected still come here until ${minuteOf(until)}.`,
      ],
      closing: ['If this should not be, change the address back before then, and check who can act as this user.'],
    });
    const subject = `The address of the organization ${tenant.id} was changed`;
    await this.mailbox.post(...addresses.map((to) => ({ to, subject, ...content })));
  }
}

const minuteOf = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
