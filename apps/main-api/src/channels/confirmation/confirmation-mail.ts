import type { NewMail } from '@libs/persistence/organization';
import { rendered } from '../../mail/index.js';

export interface ConfirmationRequest {
  tenant: string;
  channel: string;
  /** URL of the confirmation page. */
  url: string;
  token: string;
}

/**
 * Asks a person outside the tenant for consent. The mail names the tenant, and contains no text that the tenant could
 * use as a message.
 */
export function confirmationMail({ tenant, channel, url, token }: ConfirmationRequest): Omit<NewMail, 'to'> {
  const content = rendered({
    paragraphs: [
      `The organization "${tenant}" wants to send notifications to this address, through the channel "${channel}".`,
      'Landlord sends nothing until you agree. To agree, open the page and press the button:',
    ],
    link: { words: 'Read the details, and agree', url },
    codes: [token],
    closing: [
      'The link works once, for 7 days. The line below the link contains the token, for programs.',
      'If you do not know why you got this mail, do nothing. You get no notifications.',
    ],
  });
  return { subject: 'Do you want notifications at this address?', ...content };
}
