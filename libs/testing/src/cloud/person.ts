import { ApiClient, type ApiAnswer, type CallOptions } from './api-client.js';

/** The headers of a signed-in user's browser. */
export interface GivenSession {
  id: number;
  /** Headers of a read. */
  cookie: { cookie: string };
  /** Headers of a write. */
  headers: { cookie: string; 'x-csrf-token': string };
}

/** A signed-in user as a client of the main API. */
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
    const sessionHeaders = method === 'GET' ? this.session.cookie : this.session.headers;
    return super.call(method, path, { ...options, headers: { ...sessionHeaders, ...options.headers } });
  }
}
