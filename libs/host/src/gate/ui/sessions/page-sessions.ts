import { createHash, randomBytes } from 'node:crypto';

/** Time until a person has to sign in again. */
export const SESSION_MS = 8 * 60 * 60 * 1000;
const MOST_SESSIONS = 200;

/** One signed-in browser. */
export interface PageSession {
  key: string;
  expiresAtMs: number;
  /** Called at the end of the session. */
  onEnd: Set<() => void>;
  timer: NodeJS.Timeout;
}

/**
 * The sessions of the page, in the memory of this process only. Every session ends with a rotation of the credentials. Stores the hash of a token, not the token.
 */
export class PageSessions {
  /** Oldest first. */
  private readonly sessions = new Map<string, PageSession>();

  constructor(private readonly lifetimeMs: number = SESSION_MS) {}

  /** Starts a session. Ends the oldest one above the limit. */
  start(): { token: string; session: PageSession } {
    for (const oldest of this.sessions.values()) {
      if (this.sessions.size < MOST_SESSIONS) break;
      this.end(oldest);
    }
    const token = randomBytes(32).toString('base64url');
    const timer = setTimeout(() => this.end(session), this.lifetimeMs).unref();
    const session: PageSession = {
      key: hashOf(token),
      expiresAtMs: Date.now() + this.lifetimeMs,
      onEnd: new Set(),
      timer,
    };
    this.sessions.set(session.key, session);
    return { token, session };
  }

  find(token: string | null): PageSession | null {
    const session = token === null ? undefined : this.sessions.get(hashOf(token));
    return session && session.expiresAtMs > Date.now() ? session : null;
  }

  end(session: PageSession): void {
    clearTimeout(session.timer);
    this.sessions.delete(session.key);
    for (const onEnd of session.onEnd) onEnd();
  }

  endAll(): void {
    for (const session of [...this.sessions.values()]) this.end(session);
  }
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
