import type { SendMailOptions } from 'nodemailer';
import type { OutgoingMail } from './mail-transport.js';

/** The sender, and the domain of Message-IDs. */
export interface Sender {
  from: string;
  domain: string;
}

/**
 * Converts a mail for nodemailer, which encodes names and subjects so that they cannot start their own header. The
 * recipient is one address and is never parsed as a list.
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
  // Content is only text: nodemailer must not read files or URLs that it names.
  disableFileAccess: true,
  disableUrlAccess: true,
});
