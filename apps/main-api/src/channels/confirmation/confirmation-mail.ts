import type { NewMail } from '@libs/persistence/organization';
import { renderMail } from '../../mail/index.js';

export interface ConfirmationRequest {
  /** URL of the confirmation page. */
  url: string;
  token: string;
  /** The address of the user who asks, from `MailedCallers`. */
  asker: string;
}

/**
 * Asks a person outside the tenant for consent. Nobody has proved the address, so the mail has no text that a person chose.
 */
export function confirmationMail({ url, token, asker }: ConfirmationRequest): Omit<NewMail, 'to'> {
  const content = renderMail({
    paragraphs: [
      `${asker} wants to send notifications of an organization at Landlord to this address.`,
      'Landlord sends nothing until you agree. If somebody told you about it and you want it, open the page and press the button:',
    ],
    link: { words: 'Agree to notifications', url },
    codes: [token],
    closing: [
      'The link works once, for 7 days. The line below the link contains the token, for programs.',
      'If you do not know why you got this mail, do nothing. You get no notifications.',
    ],
  });
  return { subject: 'Do you want notifications at this address?', ...content };
}
