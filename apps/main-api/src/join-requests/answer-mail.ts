import type { JoinRequest, NewMail } from '@libs/persistence/organization';
import { renderMail } from '../mail/index.js';

type Reader = Pick<JoinRequest, 'email'>;

/** Returns the mail for an approved request to join. The reader is a stranger to the organization: the mail has none of its texts. */
export function approvalMail({ email }: Reader, homeUrl: string): NewMail {
  const content = renderMail({
    paragraphs: ['Your request to join an organization was approved. You are now a member.'],
    link: { words: 'Open the organization', url: homeUrl },
  });
  return { to: email, subject: 'You are a member of an organization', ...content };
}

/** Returns the mail for a declined request to join, without texts of the organization. */
export function rejectionMail({ email }: Reader): NewMail {
  const content = renderMail({
    paragraphs: ['Your request to join an organization was declined.'],
    closing: ['Your account has not changed. If you think that this is a mistake, ask a member for an invitation.'],
  });
  return { to: email, subject: 'Your request to join an organization', ...content };
}
