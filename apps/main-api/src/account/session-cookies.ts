import { Injectable } from '@nestjs/common';
import { Answer, PublicScheme, sessionCookieName } from '@libs/http';
import type { ClientFacts } from './client.decorator.js';
import type { SignedInView } from './dto/signed-in.view.js';

/** Not readable by scripts, not sent with forms of other sites. Only for HTTPS where clients use HTTPS. */
const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Lax';

/** A session that has just started. */
export interface StartedSession {
  view: SignedInView;
  token: string;
  /** The lifetime of the session. */
  seconds: number;
}

/** The session cookie in requests and answers. */
@Injectable()
export class SessionCookies {
  constructor(private readonly scheme: PublicScheme) {}

  /** The token of the cookie that the request has sent. */
  tokenOf(client: ClientFacts): string | null {
    return client.sessionToken(this.isSecure(client));
  }

  /** Answers with the cookie of the session. No cache may keep the answer. */
  set({ view, token, seconds }: StartedSession, client: ClientFacts): Answer<SignedInView> {
    return new Answer(view, { 'set-cookie': this.cookie(token, seconds, client), 'cache-control': 'no-store' });
  }

  /** Answers without a body, and removes the cookie from the browser. */
  cleared(client: ClientFacts): Answer<undefined> {
    return new Answer(undefined, { 'set-cookie': this.cookie('', 0, client) });
  }

  /** No character of `token` needs quoting. */
  private cookie(token: string, seconds: number, client: ClientFacts): string {
    const isSecure = this.isSecure(client);
    return `${sessionCookieName(isSecure)}=${token}; Max-Age=${seconds}; ${ATTRIBUTES}${isSecure ? '; Secure' : ''}`;
  }

  private isSecure({ isSecure }: ClientFacts): boolean {
    return isSecure || this.scheme.isHttps;
  }
}
