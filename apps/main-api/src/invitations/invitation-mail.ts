import type { Invitation, NewMail } from '@libs/persistence/organization';
import { renderMail } from '../mail/index.js';

/**
 * Returns the mail of an invitation. `url` is the page with the answer, which names the organization, the inviter and the roles after
 * sign-in. Nobody has proved the address, so the mail has no text that a person chose.
 */
export function invitationMail(invitation: Invitation, url: string): NewMail {
  const { email, expires_at } = invitation;
  const content = renderMail({
    paragraphs: [
      'Somebody invites you to become a member of an organization at Landlord.',
      `The page shows who invites you, and to which organization. The invitation ends at ${minuteOf(expires_at)}.`,
    ],
    link: { words: 'Accept or decline the invitation', url },
    closing: ['If you do not know why you got this mail, do nothing. Nothing changes without your answer.'],
  });
  return { to: email, subject: 'You are invited to an organization', ...content };
}

const minuteOf = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
