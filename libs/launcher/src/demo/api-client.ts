import { LauncherError } from '../launcher-error.js';
import { ApiProblem } from './api-problem.js';

/** Longer than any answer takes, the waiting ones of operations included. */
const ANSWER_MS = 30_000;
/** How often a request is sent whose answer was lost on the way. */
const SENDINGS = 3;

interface CallOptions {
  body?: object;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** The public API, called as any program with a key would call it. */
export class ApiClient {
  constructor(private readonly apiKey: string) {}

  /** @throws ApiProblem, or LauncherError when nobody answers */
  async get<Body>(url: string, signal: AbortSignal): Promise<Body> {
    return this.call('GET', url, { signal });
  }

  /**
   * Sends a request that makes something. It is not interrupted, so that the caller knows what was made; with an
   * idempotency key it is sent again when its answer was lost.
   * @throws ApiProblem, or LauncherError when nobody answers
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

  /** @throws ApiProblem, or LauncherError when nobody answers */
  async delete<Body>(url: string): Promise<Body> {
    return this.call('DELETE', url, {});
  }

  /** The refusal that a GET meets; null when it is answered. */
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
      throw new LauncherError(`${method} ${url} was not answered: ${reasonOf(error)}`);
    }
  }
}

/** What is no JSON is told as it is: it comes from something between us and the API. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { detail: text.slice(0, 500) };
  }
}

/** fetch hides the reason one level down; of several failed addresses there is a code and no message. */
function reasonOf(error: unknown): string {
  const { cause = error } = error as { cause?: unknown };
  const { message, code } = cause as Partial<NodeJS.ErrnoException>;
  return message || code || String(cause);
}
