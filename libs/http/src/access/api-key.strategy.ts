import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import headerApiKey from 'passport-headerapikey';
import { CallerStore } from '../ports.js';

/** Name of the passport strategy and of the security scheme in the API description. */
export const API_KEY_SCHEME = 'ld_api_key';
export const API_KEY_HEADER = 'ld-api-key';

/** Reads the key from its header. Rejects a malformed key before any database query. */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(headerApiKey.HeaderAPIKeyStrategy, API_KEY_SCHEME) {
  constructor(private readonly callers: CallerStore) {
    super({ header: API_KEY_HEADER, prefix: '' }, false);
  }

  validate(secret: string): { secret: string } | false {
    return this.callers.isWellFormed(secret) ? { secret } : false;
  }
}

/** Reads the key of a request with passport. Refuses no request itself: the access guard does. */
@Injectable()
export class ApiKeyExtractor extends AuthGuard(API_KEY_SCHEME) {
  /** Returns the well-formed secret, or null. */
  async extract(context: ExecutionContext): Promise<string | null> {
    await this.canActivate(context);
    const { user } = context.switchToHttp().getRequest<Request & { user?: { secret: string } | null }>();
    return user?.secret ?? null;
  }

  override handleRequest<T>(error: unknown, user: T | false): T {
    if (error) throw error as Error;
    return (user || null) as T;
  }
}
