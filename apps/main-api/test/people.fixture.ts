import { eventually, MailFolder, type ApiAnswer, type FiledMail, type MainApiAccess } from '@libs/testing';

export const PASSWORD = 'a long enough phrase';

/** The headers that the browser of a signed-in user sends. */
export interface Browser {
  /** Value of the cookie. */
  token: string;
  /** Headers of a read. */
  cookie: { cookie: string };
  /** Headers of a write. */
  headers: { cookie: string; 'x-csrf-token': string };
}

/** Users who sign up, read their mails and sign in, all through the API. */
export class People {
  private made = 0;
  readonly mails: MailFolder;

  constructor(readonly cloud: MainApiAccess) {
    this.mails = new MailFolder(cloud.directory);
  }

  /** An unused address. */
  address(domain = 'gmail.com'): string {
    this.made += 1;
    return `person-${this.made}@${domain}`;
  }

  signUp(email: string, more: object = {}): Promise<ApiAnswer> {
    return this.cloud.main(null).post('/account/sign_up', { email, password: PASSWORD, name: 'Ann', ...more });
  }

  verify(token: string, password = PASSWORD): Promise<ApiAnswer> {
    return this.cloud.main(null).post('/account/verify', { token, password });
  }

  signIn(email: string, password = PASSWORD, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    return this.cloud.main(null).post('/account/sign_in', { email, password }, headers);
  }

  /** The newest mail to the address with this text in its subject. */
  async mail(email: string, subject: string): Promise<FiledMail> {
    return eventually(`a mail "${subject}" to ${email}`, async () => (await this.mailsTo(email, subject)).at(-1));
  }

  async mailsTo(email: string, subject = ''): Promise<FiledMail[]> {
    const isAbout = ({ headers }: FiledMail): boolean => (headers['subject']?.[0] ?? '').includes(subject);
    return (await this.mails.to(email)).filter(isAbout);
  }

  /** Signs up and returns the token of the mail. */
  async register(email: string, more: object = {}): Promise<string> {
    const { status, body } = await this.signUp(email, more);
    if (status !== 201) throw new TypeError(`no sign-up: ${JSON.stringify(body)}`);
    return tokenIn(await this.mail(email, 'Verify your e-mail address'));
  }

  /** Registers a user with a verified address. */
  async verified(email = this.address(), more: object = {}): Promise<string> {
    const { status, body } = await this.verify(await this.register(email, more));
    if (status !== 200) throw new TypeError(`not verified: ${JSON.stringify(body)}`);
    return email;
  }

  async browser(email: string, password = PASSWORD): Promise<Browser> {
    return browserOf(await this.signIn(email, password));
  }

  /** Requests a password reset and returns the token of the mail. */
  async resetToken(email: string): Promise<string> {
    const before = (await this.mailsTo(email, 'Choose a new password')).length;
    await this.cloud.main(null).post('/account/password_reset', { email });
    const mail = await eventually('the mail for a new password has come', async () => {
      const all = await this.mailsTo(email, 'Choose a new password');
      return all.length > before ? all.at(-1) : null;
    });
    return tokenIn(mail);
  }

  /** Simulates that the last mails were sent long ago, so the next mail is allowed at once. */
  async afterPause(): Promise<void> {
    await this.cloud.rows(`update email_tokens set created_at = created_at - interval '2 minutes'`);
  }

  async userId(email: string): Promise<number> {
    const [row] = await this.cloud.rows<{ id: number }>('select id::int as id from users where email = $1', [email]);
    return row?.id ?? 0;
  }
}

/** The token on a line of its own. */
export const tokenIn = ({ text }: FiledMail): string => /^[\w-]{43}$/m.exec(text)?.[0] ?? '';

/** The values that the browser keeps from the answer to a sign-in. */
export function browserOf({ status, headers, body }: ApiAnswer): Browser {
  const token = /^ld_session=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1];
  if (status !== 200 || token === undefined) throw new TypeError(`not signed in: ${JSON.stringify(body)}`);
  const cookie = `ld_session=${token}`;
  return { token, cookie: { cookie }, headers: { cookie, 'x-csrf-token': body.csrf_token } };
}
