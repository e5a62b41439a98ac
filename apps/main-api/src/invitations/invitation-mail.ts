import type { Invitation, NewMail } from '@libs/persistence/organization';
import { rendered } from '../mail/index.js';

/** Returns the mail of an invitation. `url` is the page with the answer. */
export function invitationMail(invitation: Invitation, url: string): NewMail {
  const { email, tenant_name, division_name, inviter_name, roles, expires_at } = invitation;
  const organization =
    division_name === null ? `"${tenant_name}"` : `the division "${division_name}" of "${tenant_name}"`;
  const names = roles.map(({ name }) => name).join(', ');
  const content = rendered({
    paragraphs: [
      `${inviter_name} invites you to become a member of ${organization}.`,
      `Your roles: ${names}. The invitation is for ${email} and ends at ${minuteOf(expires_at)}.`,
    ],
    link: { words: 'Accept or decline the invitation', url },
    closing: ['If you do not know why you got this mail, do nothing. Nothing changes without your answer.'],
  });
  return { to: email, subject: `${inviter_name} invites you to ${tenant_name}`, ...content };
}

const minuteOf = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
