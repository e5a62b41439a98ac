/** A mail for a transport. */
export interface OutgoingMail {
  to: string;
  subject: string;
  text: string;
  /** The same content as HTML. */
  html?: string | undefined;
  /** Is part of the Message-ID and of file names. It is the same at every attempt, so that readers recognize a repeat. */
  messageId: string;
  createdAt: Date;
}

/** Delivers mails to their destination. */
export abstract class MailTransport {
  /** The destination of mails, for the log. */
  abstract readonly destination: string;

  /** Resolves when the destination has accepted the mail. Safe to repeat. */
  abstract deliver(mail: OutgoingMail): Promise<void>;
}
