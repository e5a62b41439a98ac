import { createTransport } from 'nodemailer';
import { composeMail, type Sender } from './compose-mail.js';
import { MailTransport, type OutgoingMail } from './mail-transport.js';

const CONNECTION_TIMEOUT_MS = 10_000;
/** The longest time without data on the connection. */
const SOCKET_TIMEOUT_MS = 30_000;

/** Delivers mails to an SMTP server, with one connection for each mail. */
export class SmtpTransport extends MailTransport {
  readonly destination: string;

  constructor(
    private readonly url: string,
    private readonly sender: Sender,
  ) {
    super();
    this.destination = `the SMTP server at ${new URL(url).host}`;
  }

  async deliver(mail: OutgoingMail): Promise<void> {
    const transport = createTransport({
      url: this.url,
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      greetingTimeout: CONNECTION_TIMEOUT_MS,
      dnsTimeout: CONNECTION_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
    });
    await transport.sendMail(composeMail(this.sender, mail));
  }
}
