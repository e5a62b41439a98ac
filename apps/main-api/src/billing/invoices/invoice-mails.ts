import { Inject, Injectable } from '@nestjs/common';
import type { IssuedInvoice } from '@libs/persistence/billing';
import type { NewMail } from '@libs/persistence/organization';
import { MAIN_API_CONFIG, type MainApiConfig } from '../../config.js';
import { renderMail, Mailbox } from '../../mail/index.js';
import { publicUrl } from '../../platform/index.js';

/** Mails new invoices to the recipients. Nobody has proved their addresses, so the mails have no text that a person chose. */
@Injectable()
export class InvoiceMails {
  constructor(
    private readonly mailbox: Mailbox,
    @Inject(MAIN_API_CONFIG) private readonly config: Pick<MainApiConfig, 'LANDLORD_PUBLIC_URL' | 'MAIN_API_PORT'>,
  ) {}

  /** Runs in the transaction that issues the invoices, so each is mailed exactly once. */
  async issued(invoices: readonly IssuedInvoice[]): Promise<void> {
    await this.mailbox.post(...invoices.map((invoice) => this.toMail(invoice)));
  }

  private toMail({ id, number, tenantId, month, provider, dueAt, totalUsd, email }: IssuedInvoice): NewMail {
    const url = publicUrl(this.config, `/tenants/${tenantId}/billing/invoices/${id}/pdf`);
    const due = dueAt.toISOString().slice(0, 10);
    const content = renderMail({
      paragraphs: [
        'Hello,',
        `this is invoice ${number} for ${month}: ${totalUsd} USD.`,
        provider === 'card' ? 'Landlord will charge your card. You need to do nothing.' : `Please pay it by ${due}.`,
      ],
      link: { words: 'Open the invoice (PDF)', url },
      closing: [
        'To open the link, sign in as a member who may read billing. Programs use the same URL with an API key.',
        'The billing information of the organization contains the address for invoices.',
      ],
    });
    return { to: email, subject: `Invoice ${number}: ${totalUsd} USD`, ...content };
  }
}
