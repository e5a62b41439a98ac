import type { JoinRequest, NewMail } from '@libs/persistence/organization';
import { rendered } from '../mail/index.js';

/** Returns the mail with the answer to a request to join. */
export function answerMail({ tenant_name, email }: JoinRequest, isApproved: boolean, homeUrl: string): NewMail {
  const approved = {
    paragraphs: [`You are a member of "${tenant_name}" now: your request to join it was approved.`],
    link: { words: 'Go there', url: homeUrl },
  };
  const rejected = {
    paragraphs: [`Your request to join "${tenant_name}" was declined.`],
    closing: ['Nothing of your own has changed. If you think that is a mistake, ask somebody there to invite you.'],
  };
  const words = isApproved ? 'You are a member of' : 'Your request to join';
  return { to: email, subject: `${words} ${tenant_name}`, ...rendered(isApproved ? approved : rejected) };
}
