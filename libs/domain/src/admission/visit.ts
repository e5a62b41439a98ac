import type { Socket } from 'node:net';

/** How far the request of a connection is. Only one that is being answered is never cut for another connection. */
export const PROGRESS = { nothing: 0, partOfHead: 1, partOfBody: 2, answering: 3 } as const;
export type Progress = (typeof PROGRESS)[keyof typeof PROGRESS];

/** Tells whether the body of a request has come. */
export type Body = { readonly complete: boolean } | null;

/** One connection of a listener. */
export class Visit {
  standing: 'new' | 'waiting' | 'unknown' | 'known' = 'new';
  /** Node may accept hundreds of connections before it reads from any of them. Such a connection is not silent yet. */
  isUnread = true;
  /** After sign-in. */
  caller = '';
  /** When the connection was served, or its last answer ended. */
  sinceMs = 0;
  private body: Body | undefined;

  constructor(
    readonly socket: Socket,
    /** The network of the client. That of a proxy until the proxy has named the client. */
    public network: string,
    /** Whether the other end is a proxy, which has no share of its own. */
    readonly isOfProxy: boolean,
    readonly serve: () => void,
  ) {}

  get progress(): Progress {
    if (this.body !== undefined)
      return this.body === null || this.body.complete ? PROGRESS.answering : PROGRESS.partOfBody;
    return this.standing !== 'waiting' && this.socket.bytesRead > 0 && !this.hasAnswered
      ? PROGRESS.partOfHead
      : PROGRESS.nothing;
  }

  /** Whether a request of this connection has been answered. */
  hasAnswered = false;

  /** The head of a request is complete. Null: it has no body. */
  beginRequest(body: Body): void {
    this.body = body;
  }

  /** Whether nobody works on an answer, and the last one ended before `beforeMs`. */
  isLate(beforeMs: number): boolean {
    return this.sinceMs <= beforeMs && this.progress !== PROGRESS.answering;
  }

  endRequest(nowMs: number): void {
    this.body = undefined;
    this.hasAnswered = true;
    this.sinceMs = nowMs;
  }
}
