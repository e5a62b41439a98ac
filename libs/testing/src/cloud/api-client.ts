/** An answer in the format for tests. */
export interface ApiAnswer {
  status: number;
  headers: Headers;
  /** Parsed JSON, the text for other types, null without a body. */
  body: any;
}

export interface CallOptions {
  body?: unknown;
  /** Sent unchanged, instead of `body`. */
  raw?: string | Buffer;
  headers?: Record<string, string>;
}

/** Calls one of the APIs with one key. */
export class ApiClient {
  constructor(
    private readonly baseUrl: string,
    private readonly key: string | null,
  ) {}

  get(path: string, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    return this.call('GET', path, { headers });
  }

  post(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    return this.call('POST', path, { body, headers });
  }

  put(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    return this.call('PUT', path, { body, headers });
  }

  delete(path: string, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    return this.call('DELETE', path, { headers });
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<ApiAnswer> {
    const text = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      // A redirect is an answer of its own.
      redirect: 'manual',
      headers: {
        ...(this.key !== null && { 'ld-api-key': this.key }),
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(text !== undefined && { body: text }),
    });
    return { status: response.status, headers: response.headers, body: parse(await response.text()) };
  }
}

function parse(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
