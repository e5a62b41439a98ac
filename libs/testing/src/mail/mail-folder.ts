import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../eventually.js';
import { parseMail, type ReceivedMail } from './received-mail.js';

/** A mail that was written to a file. */
export interface FiledMail extends ReceivedMail {
  file: string;
  /** Permission bits. */
  mode: number;
}

/** The mails of a cloud without an SMTP server, oldest first. */
export class MailFolder {
  readonly directory: string;

  constructor(dataDirectory: string) {
    this.directory = join(dataDirectory, 'mail');
  }

  async all(): Promise<FiledMail[]> {
    const files = (await readdir(this.directory).catch(() => [])).filter((name) => name.endsWith('.eml')).sort();
    return Promise.all(
      files.map(async (file) => {
        const path = join(this.directory, file);
        const mode = (await stat(path)).mode & 0o777;
        return { ...parseMail(await readFile(path, 'utf8')), file, mode };
      }),
    );
  }

  /**
   * The mail that `cause` triggers. With `to`, the mail to this address: mails are written after the answer, so a mail of
   * an earlier request can come late.
   */
  async after(cause: () => Promise<unknown>, to?: string): Promise<FiledMail> {
    const known = new Set((await this.all()).map(({ file }) => file));
    await cause();
    const isNew = ({ file, headers }: FiledMail): boolean =>
      !known.has(file) && (to === undefined || (headers['to']?.includes(to) ?? false));
    return eventually('a mail has come', async () => (await this.all()).find(isNew));
  }
}
