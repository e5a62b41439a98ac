import {
  OutboundClient,
  OutboundFailed,
  readDestination,
  type OutboundAnswer,
  type OutboundRequest,
} from '@libs/outbound';
import { BrokerError } from '../../../control/broker-error.js';
import { ConnectorFault } from '../../delivery/connector-fault.js';
import { pause } from '../../delivery/pause.js';
import type { PluginContext } from '../plugin.js';

const TRANSIENT = [408, 425, 429, 500, 502, 503, 504];
const LONGEST_TIMEOUT_MS = 300_000;

/** The pauses between repetitions of a request. */
export interface Repetitions {
  most: number;
  delayMs: number;
  factor: number;
  longestMs: number;
}

export interface HttpDestinationOptions {
  timeoutMs: number;
  repetitions: Repetitions;
  acceptInvalidCertificates?: boolean;
}

export type HttpRequest = Pick<OutboundRequest, 'url' | 'method' | 'headers' | 'body' | 'maxBodyBytes'>;

/** Requests to an HTTP service of a customer, by the guarded client. Retries transient failures. Rejects after the last retry. */
export class HttpDestination {
  private readonly client: OutboundClient;

  constructor(
    private readonly options: HttpDestinationOptions,
    { allowPrivate }: Pick<PluginContext, 'allowPrivate'>,
  ) {
    const { acceptInvalidCertificates = false } = options;
    this.client = new OutboundClient({ allowPrivate, acceptInvalidCertificates });
  }

  /**
   * Resolves for every answer that is not transient, or that `isFinal` accepts. Rejects with BrokerError when the service does
   * not answer, or answers that it cannot work now.
   */
  async request(
    request: HttpRequest,
    signal: AbortSignal | null,
    isFinal: (answer: OutboundAnswer) => boolean = () => false,
  ): Promise<OutboundAnswer> {
    const { most, delayMs, factor, longestMs } = this.options.repetitions;
    for (let attempt = 0; ; attempt++) {
      const { answer, reason, isTransient, retryAfterMs } = await this.attempt(request);
      if (answer && (!isTransient || isFinal(answer))) return answer;
      if (attempt >= most || !isTransient || signal?.aborted) throw new BrokerError(reason);
      const waitMs = Math.min(Math.max(delayMs * factor ** attempt, retryAfterMs), longestMs);
      await pause(waitMs, signal ?? new AbortController().signal);
    }
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  private async attempt(request: HttpRequest) {
    const timeoutMs = Math.min(Math.max(this.options.timeoutMs, 1), LONGEST_TIMEOUT_MS);
    try {
      const answer = await this.client.send({ ...request, timeoutMs });
      const { status, headers } = answer;
      const seconds = Number(headers['retry-after']);
      const retryAfterMs = status === 429 && seconds > 0 ? seconds * 1000 : 0;
      return { answer, reason: returned(answer), isTransient: TRANSIENT.includes(status), retryAfterMs };
    } catch (error) {
      const isTransient = error instanceof OutboundFailed && error.failure !== 'redirect';
      const reason = error instanceof Error ? error.message : String(error);
      return { answer: null, reason, isTransient, retryAfterMs: 0 };
    }
  }
}

export const returned = ({ status }: OutboundAnswer): string => `the destination returned ${status}`;

/** Checks a URL at the start instead of with the first message. @throws ConnectorFault */
export function urlOf(key: string, url: string, { allowPrivate }: Pick<PluginContext, 'allowPrivate'>): URL {
  try {
    return readDestination(url, { allowPrivate });
  } catch (error) {
    throw new ConnectorFault(`plugin_config.${key}: ${(error as Error).message}`);
  }
}

/** An address below the URL of a service, whose parts need no escaping by the caller. */
export function below(base: URL, parts: readonly string[], query: Record<string, string> = {}): string {
  const url = new URL(base);
  const path = parts.map((part) => encodeURIComponent(part)).join('/');
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

/** The JSON of an answer. Null when it has none. */
export function jsonOf({ body }: OutboundAnswer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return null;
  }
}

/** The start of an answer's text, for an error of the owner. */
export function excerptOf({ body }: OutboundAnswer): string {
  return body.toString('utf8').replaceAll(/\s+/g, ' ').trim().slice(0, 300);
}
