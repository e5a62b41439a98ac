import type { JoinRequest, NewMail } from '@libs/persistence/organization';
import { rendered } from '../mail/index.js';

/** Returns the mail with the answer to a request to join. */
export function answerMail({ tenant_name, email }: JoinRequest, isApproved: boolean, homeUrl: string): NewMail {
  const approved = {
    paragraphs: [`Your request to join "${tenant_name}" was approved. You are now a member.`],
    link: { words: 'Open the organization', url: homeUrl },
  };
  const rejected = {
    paragraphs: [`Your request to join "${tenant_name}" was declined.`],
    closing: ['Your account has not changed. If you think that this is a mistake, ask a member for an invitation.'],
  };
  const words = isApproved ? 'You are a member of' : 'Your request to join';
  return { to: email, subject: `${words} ${tenant_name}`, ...rendered(isApproved ? approved : rejected) };
}
