import type { SendMailOptions } from 'nodemailer';
import type { OutgoingMail } from './mail-transport.js';

/** Who sends, and the domain of Message-IDs. */
export interface Sender {
  from: string;
  domain: string;
}

/**
 * A mail in nodemailer's terms, which encodes names and subjects so that they cannot begin a header of their own. The
 * recipient is an address and never parsed as a list.
 */
export const composeMail = ({ from, domain }: Sender, mail: OutgoingMail): SendMailOptions => ({
  from,
  to: { name: '', address: mail.to },
  subject: mail.subject,
  text: mail.text,
  ...(mail.html !== undefined && { html: mail.html }),
  date: mail.createdAt,
  messageId: `<${mail.messageId}@${domain}>`,
  headers: { 'auto-submitted': 'auto-generated' },
  // A text is a text: nothing in it is ever read from a file or an address.
  disableFileAccess: true,
  disableUrlAccess: true,
});
