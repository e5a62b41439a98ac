/** A mail as it goes out. */
export interface OutgoingMail {
  to: string;
  subject: string;
  text: string;
  /** The same, for readers who show more than text. */
  html?: string | undefined;
  /** Names the mail in its Message-ID and in files; the same at every attempt, so that a repeat is recognized. */
  messageId: string;
  createdAt: Date;
}

/** The way out for mails. */
export abstract class MailTransport {
  /** For the log: where mails go. */
  abstract readonly destination: string;

  /** Resolves when somebody else has taken over the mail; safe to repeat. */
  abstract deliver(mail: OutgoingMail): Promise<void>;
}
