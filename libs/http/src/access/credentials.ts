import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { CallerStore, SessionStore, type Addressed, type AlsoRead, type ResolvedCaller } from '../ports.js';
import { API_KEY_HEADER } from './api-key-header.js';
import { isSecureRequest, PublicScheme, sessionCookie } from './session-cookie.js';

/** Finds the caller that the credentials of a request belong to. */
export type Resolve = () => Promise<ResolvedCaller | null>;

/**
 * Reads the credentials of a request: a key, or a session cookie if the app has sessions and the request has no key. A
 * wrong key is refused even if the request also has a valid cookie.
 */
@Injectable()
export class Credentials {
  constructor(
    private readonly callers: CallerStore,
    private readonly sessions: SessionStore,
    private readonly scheme: PublicScheme,
  ) {}

  /** What a caller without valid credentials should do. */
  get advice(): string {
    return this.sessions.advice;
  }

  of(request: Request, addressed: Addressed, also: AlsoRead): Resolve {
    const secret = request.headers[API_KEY_HEADER];
    if (secret !== undefined) {
      // A malformed key is refused without a query. Node joins repeated headers of this name to one text.
      const isKey = typeof secret === 'string' && this.callers.isWellFormed(secret);
      return async () => (isKey ? this.callers.resolve(secret, addressed, also) : null);
    }
    const token = sessionCookie(request, isSecureRequest(request, this.scheme));
    return async () => (token === null ? null : this.sessions.resolve(token, addressed, also));
  }
}
