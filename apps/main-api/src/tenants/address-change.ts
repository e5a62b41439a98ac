import { Injectable } from '@nestjs/common';
import type { ActingCaller } from '@libs/http';
import { TenantsRepository, type Tenant } from '@libs/persistence/organization';
import { rendered, Mailbox } from '../mail/index.js';

/** Further effects of a new address of an organization: one-time codes for protected resources are sent to this address. */
@Injectable()
export class AddressChange {
  constructor(
    private readonly tenants: TenantsRepository,
    private readonly mailbox: Mailbox,
  ) {}

  /** Call it before the new address is written. The old address gets a mail, and still gets the codes for one more day. */
  async announce(actor: ActingCaller, tenant: Tenant, next: string): Promise<void> {
    const { addresses, until } = await this.tenants.keepCodeAddress(tenant.id, next);
    const { user, key } = actor.caller;
    const means = key === null ? 'signed in' : `API key "${key.name}"`;
    const content = rendered({
      paragraphs: [
        `${user.name} (${means}) changed the address of the organization "${tenant.name}" to ${next === '' ? 'none' : next}.`,
        until === null
          ? 'One-time codes for what is protected go to that address.'
          : `One-time codes for what is protected still come here until ${minuteOf(until)}.`,
      ],
      closing: [
        'If this should not be, change the address back before then, and look for who could do that in this name.',
      ],
    });
    const subject = `The address of ${tenant.name} was changed`;
    await this.mailbox.post(...addresses.map((to) => ({ to, subject, ...content })));
  }
}

const minuteOf = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
