import { ApiClient, type ApiAnswer, type CallOptions } from './api-client.js';

/** What a browser of somebody who is signed in sends. */
export interface GivenSession {
  id: number;
  /** Headers of a read. */
  cookie: { cookie: string };
  /** Headers of a write. */
  headers: { cookie: string; 'x-csrf-token': string };
}

/** Somebody who is signed in, and what they do with the main API. */
export class Person extends ApiClient {
  constructor(
    baseUrl: string,
    readonly id: number,
    readonly email: string,
    readonly session: GivenSession,
  ) {
    super(baseUrl, null);
  }

  override call(method: string, path: string, options: CallOptions = {}): Promise<ApiAnswer> {
    const own = method === 'GET' ? this.session.cookie : this.session.headers;
    return super.call(method, path, { ...options, headers: { ...own, ...options.headers } });
  }
}
