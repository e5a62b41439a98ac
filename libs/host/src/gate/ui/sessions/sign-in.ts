import type { IncomingMessage } from 'node:http';
import { BODY_LIMIT_BYTES, PageRefusal, tooLarge } from '../../http-answers.js';
import { ipv4Of } from '../../access-rules.js';
import type { ClientLogins, Login } from '../../logins/client-logins.js';
import type { LoginRefusals } from '../../logins/login-refusals.js';
import { SignInThrottle } from './sign-in-throttle.js';

/** Checks the credentials that a browser sends. */
export class SignIn {
  private readonly throttle = new SignInThrottle();

  constructor(
    private readonly logins: ClientLogins,
    private readonly refusals: LoginRefusals,
  ) {}

  /** @throws PageRefusal content_type_unsupported, body_too_large, body_invalid, too_many_failures, credentials_wrong */
  async verify(request: IncomingMessage): Promise<Login> {
    const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
    if (type !== 'application/json')
      throw new PageRefusal(415, 'content_type_unsupported', 'Send the credentials as application/json.');
    const credentials = credentialsIn(await readSmallBody(request));
    const address = request.socket.remoteAddress ?? '';
    const waitMs = this.throttle.waitMs(address);
    if (waitMs > 0) throw tooManyFailures(waitMs);
    const login = this.logins.verify(credentials.username, credentials.password);
    if (login) {
      this.throttle.succeeded(address);
      return login;
    }
    this.throttle.failed(address);
    this.refusals.note(ipv4Of(address));
    throw new PageRefusal(401, 'credentials_wrong', 'The user name or the password is wrong.');
  }
}

function tooManyFailures(waitMs: number): PageRefusal {
  const seconds = Math.ceil(waitMs / 1000);
  const detail = `Too many attempts failed. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  return new PageRefusal(429, 'too_many_failures', detail, { 'retry-after': String(seconds) });
}

/** Stops reading at the limit. */
async function readSmallBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function credentialsIn(text: string): { username: string; password: string } {
  try {
    const { username, password } = JSON.parse(text) as { username?: unknown; password?: unknown };
    if (typeof username === 'string' && typeof password === 'string') return { username, password };
  } catch {
    // Refused below.
  }
  throw new PageRefusal(400, 'body_invalid', 'The body is an object with `username` and `password`.');
}
