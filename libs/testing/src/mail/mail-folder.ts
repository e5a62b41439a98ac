import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../basics/eventually.js';
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

  async to(address: string): Promise<FiledMail[]> {
    return (await this.all()).filter(({ headers }) => headers['to']?.[0] === address);
  }

  /**
   * The mail to `address` that `cause` triggers. Mails are written after the answer, so a mail of an earlier request can come
   * late. `isOfCause` tells such a mail to the same address apart.
   */
  async after(
    address: string,
    cause: () => Promise<unknown>,
    isOfCause: (mail: FiledMail) => boolean = () => true,
  ): Promise<FiledMail> {
    const oldFiles = new Set((await this.to(address)).map(({ file }) => file));
    await cause();
    return eventually(`a mail to ${address} has come`, async () =>
      (await this.to(address)).find((mail) => !oldFiles.has(mail.file) && isOfCause(mail)),
    );
  }
}
