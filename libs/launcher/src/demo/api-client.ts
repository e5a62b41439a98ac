import { LauncherError } from '../launcher-error.js';
import { ApiProblem } from './api-problem.js';

/** Longer than any answer takes, including long polls of operations. */
const ANSWER_MS = 30_000;
/** Maximum number of attempts for a request whose answer is lost. */
const SENDINGS = 3;

interface CallOptions {
  body?: object;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** A client of the public API, like any program with a key. */
export class ApiClient {
  constructor(private readonly apiKey: string) {}

  /** @throws ApiProblem, or LauncherError when the server does not answer */
  async get<Body>(url: string, signal: AbortSignal): Promise<Body> {
    return this.call('GET', url, { signal });
  }

  /**
   * Sends a request that creates something. It ignores interruptions, so that the caller has the result. With its idempotency
   * key it is repeated when the answer was lost.
   * @throws ApiProblem, or LauncherError when the server does not answer
   */
  async post<Body>(url: string, body: object, idempotencyKey: string): Promise<Body> {
    for (let sending = 1; ; sending += 1) {
      try {
        return await this.call('POST', url, { body, idempotencyKey });
      } catch (error) {
        if (error instanceof ApiProblem || sending === SENDINGS) throw error;
      }
    }
  }

  /** @throws ApiProblem, or LauncherError when the server does not answer */
  async delete<Body>(url: string): Promise<Body> {
    return this.call('DELETE', url, {});
  }

  /** The refusal of a GET. Null when it succeeds. */
  async refusal(url: string, signal: AbortSignal): Promise<ApiProblem | null> {
    try {
      await this.get(url, signal);
      return null;
    } catch (error) {
      if (error instanceof ApiProblem) return error;
      throw error;
    }
  }

  private async call<Body>(method: string, url: string, options: CallOptions): Promise<Body> {
    const response = await this.send(method, url, options);
    const text = await response.text();
    const body = text === '' ? null : parse(text);
    if (!response.ok) throw new ApiProblem(`${method} ${url}`, response.status, body ?? {});
    return body as Body;
  }

  private async send(method: string, url: string, { body, idempotencyKey, signal }: CallOptions): Promise<Response> {
    const timeout = AbortSignal.timeout(ANSWER_MS);
    try {
      return await fetch(url, {
        method,
        headers: {
          'ld-api-key': this.apiKey,
          ...(body && { 'content-type': 'application/json' }),
          ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw new LauncherError(`${method} ${url} got no response: ${reasonOf(error)}`);
    }
  }
}

/** Text that is not JSON is shown unchanged. It comes from a proxy between this client and the API. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { detail: text.slice(0, 500) };
  }
}

/** fetch puts the reason into `cause`. When several addresses failed, there is a code and no message. */
function reasonOf(error: unknown): string {
  const { cause = error } = error as { cause?: unknown };
  const { message, code } = cause as Partial<NodeJS.ErrnoException>;
  return message || code || String(cause);
}
