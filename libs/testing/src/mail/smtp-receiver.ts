import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { parseMail, type ReceivedMail } from './received-mail.js';

/** A mail with its envelope. */
export interface SmtpMail extends ReceivedMail {
  sender: string;
  recipients: string[];
}

/** A real SMTP server that stores its mails. */
export class SmtpReceiver {
  readonly mails: SmtpMail[] = [];
  /** While set, recipients are refused temporarily with this text. */
  refusal: string | null = null;
  /** Awaited before a mail is acknowledged, so that tests can delay it. */
  acknowledge: () => Promise<void> = () => Promise.resolve();
  private readonly server: SMTPServer;

  private constructor() {
    this.server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      authOptional: true,
      logger: false,
      closeTimeout: 200,
      onRcptTo: (_, __, answer) => {
        answer(this.refusal === null ? null : Object.assign(new Error(this.refusal), { responseCode: 451 }));
      },
      onData: (stream, session, answer) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          this.mails.push(received(Buffer.concat(chunks).toString('utf8'), session));
          void this.acknowledge().then(() => answer());
        });
      },
    });
    // A client may disconnect in the middle of a command.
    this.server.on('error', () => undefined);
  }

  /** Listens on a free port, or on the given one. */
  static async start(port = 0): Promise<SmtpReceiver> {
    const receiver = new SmtpReceiver();
    await new Promise<void>((resolve) => receiver.server.listen(port, '127.0.0.1', () => resolve()));
    return receiver;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

const received = (raw: string, { envelope }: SMTPServerSession): SmtpMail => ({
  ...parseMail(raw),
  sender: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
  recipients: envelope.rcptTo.map(({ address }) => address),
});
