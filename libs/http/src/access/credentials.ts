import { type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { CallerStore, SessionStore, type Addressed, type ResolvedCaller } from '../ports.js';
import { API_KEY_HEADER, ApiKeyExtractor } from './api-key.strategy.js';
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
    private readonly keys: ApiKeyExtractor,
    private readonly callers: CallerStore,
    private readonly sessions: SessionStore,
    private readonly scheme: PublicScheme,
  ) {}

  /** What a caller without valid credentials should do. */
  get advice(): string {
    return this.sessions.advice;
  }

  async of(context: ExecutionContext, addressed: Addressed): Promise<Resolve> {
    const request = context.switchToHttp().getRequest<Request>();
    if (request.headers[API_KEY_HEADER] !== undefined) {
      const secret = await this.keys.extract(context);
      return async () => (secret === null ? null : this.callers.resolve(secret, addressed));
    }
    const token = sessionCookie(request, isSecureRequest(request, this.scheme));
    return async () => (token === null ? null : this.sessions.resolve(token, addressed));
  }
}
