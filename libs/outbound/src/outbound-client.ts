import { Agent, errors } from 'undici';
import { Deadline } from './deadline.js';
import { readDestination, type OutboundPolicy } from './destination.js';
import { guardedLookup } from './guarded-lookup.js';
import { Exchange, type OutboundAnswer } from './exchange.js';
import { DestinationRefused, OutboundFailed } from './outbound-error.js';

export interface OutboundOptions extends OutboundPolicy {
  /** Maximum number of concurrent connections to one destination. Default: 10. */
  connections?: number;
  /** Accepts any certificate. Only if the owner of the destination requests that. */
  acceptInvalidCertificates?: boolean;
}

export interface OutboundRequest {
  url: string;
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Total timeout in milliseconds, for name lookup, connection, and answer with body. */
  timeoutMs: number;
  signal?: AbortSignal;
  /** Maximum number of bytes to read from the body. Default: 64 KiB. */
  maxBodyBytes?: number;
}

const BODY_BYTES = 64 * 1024;
const HEADER_BYTES = 16 * 1024;
const CONNECTIONS = 10;
/** More than the channels with deliveries at one time. Above it all are forgotten, so that the memory stays bounded. */
const MOST_URLS = 1_000;
/** Headers that depend on URL and body, or that concern only one hop. A customer's header could contradict them. */
const OWN_HEADERS = [
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'expect',
];

/**
 * Sends requests to URLs of customers. The dialled address is always a checked address: this client resolves a name once per
 * connection and checks all its addresses before it dials one. So a resolver that changes its answer after the URL was saved
 * gains nothing. The client follows no redirects, uses no proxies of the environment, and logs nothing.
 */
export class OutboundClient {
  private readonly agent: Agent;
  /** The check of a URL depends only on its text and on the options, and deliveries repeat a few URLs. */
  private readonly checked = new Map<string, URL>();

  constructor(private readonly options: OutboundOptions) {
    this.agent = new Agent({
      connections: options.connections ?? CONNECTIONS,
      pipelining: 1,
      maxHeaderSize: HEADER_BYTES,
      // Each request has its own deadline, which also covers the headers and the body.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: {
        lookup: guardedLookup(options),
        autoSelectFamily: true,
        rejectUnauthorized: options.acceptInvalidCertificates !== true,
      },
    });
  }

  /**
   * Sends one request, without retries. Resolves for every answer except a redirect.
   * @throws DestinationRefused, OutboundFailed
   */
  async send(request: OutboundRequest): Promise<OutboundAnswer> {
    const url = this.checkedUrl(request.url);
    const headers = checkedHeaders(request.headers ?? {});
    const exchange = new Exchange(request.maxBodyBytes ?? BODY_BYTES);
    const deadline = new Deadline(request.timeoutMs, request.signal, (why) =>
      exchange.giveUp(gaveUp(why, url, request)),
    );
    try {
      const { method, body = null } = request;
      this.agent.dispatch(
        { origin: url.origin, path: `${url.pathname}${url.search}`, method, headers, body },
        exchange,
      );
      return await exchange.answer;
    } catch (error) {
      throw failureOf(error, url);
    } finally {
      deadline.end();
    }
  }

  private checkedUrl(text: string): URL {
    const destination = this.checked.get(text);
    if (destination) return destination;
    const url = readDestination(text, this.options);
    if (this.checked.size >= MOST_URLS) this.checked.clear();
    this.checked.set(text, url);
    return url;
  }

  /** Ends all connections. Running requests fail. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }
}

const gaveUp = (why: 'timeout' | 'aborted', { host }: URL, { timeoutMs }: OutboundRequest): OutboundFailed =>
  why === 'timeout'
    ? new OutboundFailed(why, `${host} did not answer within ${timeoutMs} ms`)
    : new OutboundFailed(why, 'the request was given up');

function failureOf(error: unknown, { host }: URL): Error {
  if (error instanceof OutboundFailed || error instanceof DestinationRefused) return error;
  if (error instanceof errors.InvalidArgumentError) return new DestinationRefused('a header cannot be sent');
  const { code, message } = error as NodeJS.ErrnoException;
  return new OutboundFailed('unreachable', `${host} cannot be reached: ${code ?? message}`, { cause: error });
}

function checkedHeaders(headers: Record<string, string>): Record<string, string> {
  for (const name of Object.keys(headers)) {
    if (OWN_HEADERS.includes(name.toLowerCase()) || name.toLowerCase().startsWith('proxy-'))
      throw new DestinationRefused(`the header ${name} cannot be given: it is made from the request`);
  }
  return headers;
}
