import type { CallOptions } from './call-options.js';
import { usableKey } from './api-key.js';
import {
  ConnectionError,
  LandlordError,
  problemError,
  ProblemError,
  RateLimitedError,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors.js';
import type { Problem } from './generated/main-types.js';
import type { PreparedRequest } from './prepare-request.js';
import { Repetitions } from './repetitions.js';
import { shownUrl, withoutLogins } from './shown-url.js';

/** The part of an unexpected answer that its error shows. */
const SHOWN_CHARACTERS = 200;

export interface TransportOptions {
  /** The key of each request. Null: requests without a key. */
  apiKey: () => Promise<string | null>;
  headers: Readonly<Record<string, string>>;
  fetch: typeof fetch;
  timeoutMs: number;
  retries: number;
  patienceMs: number;
  onWait: (refusal: ProblemError) => void;
}

/** A request with its address. */
export interface Addressed extends PreparedRequest {
  url: string;
  /** The server repeats its first answer to the same key. */
  isKeyed: boolean;
}

/** Sends requests, repeats those that may succeed later, and turns refusals into errors. */
export class Transport {
  constructor(private readonly options: TransportOptions) {}

  /** The answer that `read` makes of a successful response. @throws LandlordError, or the reason of an aborted signal */
  async send<T>(request: Addressed, options: CallOptions, read: (response: Response) => Promise<T>): Promise<T> {
    const repetitions = new Repetitions(request, {
      retries: options.retries ?? this.options.retries,
      patienceMs: options.patienceMs ?? this.options.patienceMs,
      onWait: this.options.onWait,
    });
    const newKey = (): string => (request.isKeyed ? crypto.randomUUID() : '');
    let key = options.idempotencyKey ?? newKey();
    for (;;) {
      try {
        return await this.attempt(request, options, key, read);
      } catch (error) {
        options.signal?.throwIfAborted();
        const waitMs = repetitions.waitAfter(error);
        if (waitMs === null) throw error;
        await pause(waitMs, options.signal);
        // The server keeps a refusal under its key, so another attempt needs another one.
        if (isKept(error) && options.idempotencyKey === undefined) key = newKey();
      }
    }
  }

  /** Opens a stream. The time of an attempt ends with the head of the response. @throws LandlordError */
  async open(request: Addressed, options: CallOptions): Promise<Response> {
    return this.send(request, options, async (response) => response);
  }

  private async attempt<T>(
    request: Addressed,
    options: CallOptions,
    key: string,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const timeoutMs = options.timeoutMs ?? this.options.timeoutMs;
    // Outside of the attempt: an error of the caller's function, and a wrong key, are no errors of the connection.
    const given = await this.options.apiKey();
    const apiKey = given === null ? null : usableKey(given);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    const signal = AbortSignal.any([late.signal, ...(options.signal ? [options.signal] : [])]);
    try {
      const response = await this.fetched(request, options, { key, apiKey, signal });
      options.onResponse?.(response);
      if (!response.ok) throw await refusalOf(response);
      return await read(response);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (late.signal.aborted) throw new TimeoutError(`${shown(request)} was not answered within ${timeoutMs} ms.`);
      if (error instanceof LandlordError) throw error;
      throw new ConnectionError(`${shown(request)}: ${reasonOf(error)}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  private fetched(
    { url, method, body, isKeyed }: Addressed,
    { headers }: CallOptions,
    { key, apiKey, signal }: { key: string; apiKey: string | null; signal: AbortSignal },
  ) {
    return this.options.fetch(url, {
      method,
      signal,
      // A redirect could carry the key to another host.
      redirect: 'error',
      ...(body !== null && { body }),
      headers: {
        accept: 'application/json, text/event-stream, */*',
        ...(body !== null && { 'content-type': 'application/json' }),
        ...(isKeyed && { 'idempotency-key': key }),
        ...(apiKey !== null && { 'ld-api-key': apiKey }),
        ...this.options.headers,
        ...headers,
      },
    });
  }
}

/** The server keeps refusals under their key, but not 429 and 5xx. The first request with the key is still running: its answer comes. */
const isKept = (error: unknown): boolean =>
  error instanceof ProblemError &&
  error.status < 500 &&
  !(error instanceof RateLimitedError) &&
  error.code !== 'idempotent_request_in_progress';

async function refusalOf(response: Response): Promise<LandlordError> {
  const text = await response.text();
  const problem = jsonOf(text);
  if (isProblem(problem)) return problemError(problem, retryAfterOf(response.headers.get('retry-after')));
  const beginning = text.trim().slice(0, SHOWN_CHARACTERS);
  return new UnexpectedAnswerError(response, beginning);
}

const isProblem = (value: unknown): value is Problem & Record<string, unknown> =>
  typeof value === 'object' && value !== null && 'code' in value && 'status' in value && 'detail' in value;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const retryAfterOf = (seconds: string | null): number | null =>
  seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) * 1000 : null;

/** The reason of `fetch` is in its cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  const { code, message: inner } = (cause ?? {}) as Error & { code?: string };
  return withoutLogins([message, code, inner].filter(Boolean).join(': '));
}

const shown = ({ method, url }: Addressed): string => `${method} ${shownUrl(url)}`;

/** Waits. @throws the reason of the signal */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}
