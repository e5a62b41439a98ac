import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { composeMail, type Sender } from './compose-mail.js';
import { MailTransport, type OutgoingMail } from './mail-transport.js';

/**
 * Without an SMTP server, mails are files that only their owner can read: `<time>-<message id>-<recipient>.eml`, in the
 * order of posting. A repeat replaces the file of the first attempt.
 */
export class FileTransport extends MailTransport {
  private readonly composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });

  constructor(
    private readonly directory: string,
    private readonly sender: Sender,
  ) {
    super();
  }

  get destination(): string {
    return this.directory;
  }

  async deliver(mail: OutgoingMail): Promise<void> {
    const { message } = await this.composer.sendMail(composeMail(this.sender, mail));
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    await this.write(fileName(mail), message as Buffer);
  }

  /** Writes the file completely or not at all: a reader that watches the directory for `.eml` never reads a partial mail. */
  private async write(name: string, content: Buffer): Promise<void> {
    const draft = join(this.directory, `.${randomUUID()}.tmp`);
    try {
      await fill(draft, content);
      await rename(draft, join(this.directory, name));
    } catch (error) {
      // The queue repeats the mail, and each attempt would leave a file.
      await rm(draft, { force: true }).catch(() => undefined);
      throw error;
    }
  }
}

async function fill(path: string, content: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Returns a sortable name without characters that cause problems for file systems, shells or people. */
function fileName({ createdAt, messageId, to }: OutgoingMail): string {
  const time = createdAt.toISOString().replaceAll(/[-:.]/g, '');
  return `${time}-${messageId.slice(0, 8)}-${to.replaceAll(/[^A-Za-z0-9@._+-]/g, '_').slice(0, 100)}.eml`;
}
