import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { repeatOnce } from '../errors/repeat-once.js';
import { CallerStore, SessionStore, TokenStore, type Addressed, type AlsoRead, type ResolvedCaller } from '../ports.js';
import { isSecureRequest, PublicScheme } from './strategies/session-cookie.js';

/** Finds the caller that the credentials of a request belong to. */
type Find = () => Promise<ResolvedCaller | null>;

interface Stores {
  readonly callers: CallerStore;
  readonly tokens: TokenStore;
  readonly sessions: SessionStore;
}

/**
 * Asks the stores of one app for the caller of one request. The strategies of passport belong to the whole process and keep
 * nothing, so each request brings its own.
 */
export class CredentialLookup {
  private find: Find = async () => null;

  constructor(
    /** Whether the client has reached the app by HTTPS. */
    readonly isSecure: boolean,
    private readonly stores: Stores,
    readonly addressed: Addressed,
    private readonly also: AlsoRead,
  ) {}

  /** A malformed key is refused without a query. Node joins repeated headers of this name to one text. */
  async ofKey(secret: string): Promise<ResolvedCaller | null> {
    const { callers } = this.stores;
    return callers.isWellFormed(secret) ? this.ask(() => callers.resolve(secret, this.addressed, this.also)) : null;
  }

  async ofToken(token: string): Promise<ResolvedCaller | null> {
    return this.ask(() => this.stores.tokens.resolve(token, this.addressed));
  }

  async ofSession(token: string): Promise<ResolvedCaller | null> {
    return this.ask(() => this.stores.sessions.resolve(token, this.addressed, this.also));
  }

  /** Asks the store again with the same credentials. */
  async again(): Promise<ResolvedCaller | null> {
    return repeatOnce(this.find);
  }

  private ask(find: Find): Promise<ResolvedCaller | null> {
    this.find = find;
    return repeatOnce(find);
  }
}

/** The stores that know the credentials of an app. */
@Injectable()
export class Credentials {
  private readonly stores: Stores;

  constructor(
    callers: CallerStore,
    tokens: TokenStore,
    sessions: SessionStore,
    private readonly scheme: PublicScheme,
  ) {
    this.stores = { callers, tokens, sessions };
  }

  /** What a caller without valid credentials should do. */
  get advice(): string {
    return this.stores.sessions.advice;
  }

  lookup(request: Request, addressed: Addressed, also: AlsoRead): CredentialLookup {
    return new CredentialLookup(isSecureRequest(request, this.scheme), this.stores, addressed, also);
  }
}
