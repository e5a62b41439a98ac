import { Agent, errors, request, type Dispatcher } from 'undici';
import { Deadline } from './deadline.js';
import { readDestination, type OutboundPolicy } from './destination.js';
import { guardedLookup } from './guarded-lookup.js';
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

export interface OutboundAnswer {
  status: number;
  /** By lower-case name. Several values of a name are joined with commas. */
  headers: Record<string, string>;
  /** The start of the body, up to `maxBodyBytes`. */
  body: Buffer;
  isTruncated: boolean;
}

const BODY_BYTES = 64 * 1024;
const HEADER_BYTES = 16 * 1024;
const CONNECTIONS = 10;
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

  constructor(private readonly options: OutboundOptions) {
    this.agent = new Agent({
      connections: options.connections ?? CONNECTIONS,
      pipelining: 1,
      maxHeaderSize: HEADER_BYTES,
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
  async send(asked: OutboundRequest): Promise<OutboundAnswer> {
    const url = readDestination(asked.url, this.options);
    const headers = checkedHeaders(asked.headers ?? {});
    const deadline = new Deadline(asked.timeoutMs, asked.signal);
    try {
      const { method, body = null } = asked;
      const { signal } = deadline;
      const answer = await request(url, { dispatcher: this.agent, method, headers, body, signal });
      return await this.read(answer, asked.maxBodyBytes ?? BODY_BYTES);
    } catch (error) {
      throw this.failure(error, url, deadline, asked);
    } finally {
      deadline.end();
    }
  }

  /** Ends all connections. Running requests fail. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async read({ statusCode, headers, body }: Dispatcher.ResponseData, limit: number): Promise<OutboundAnswer> {
    if (statusCode >= 300 && statusCode < 400 && headers['location'] !== undefined) {
      // An unread body emits an error. Without a listener it would be unhandled.
      body.on('error', () => undefined).destroy();
      throw new OutboundFailed('redirect', `the destination answered ${statusCode}, and redirects are not followed`);
    }
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, limit - size));
      size += chunk.length;
      // Leaving the loop ends the body and the connection, so that a server cannot keep the client reading without a limit.
      if (size > limit) break;
    }
    return { status: statusCode, headers: joined(headers), body: Buffer.concat(chunks), isTruncated: size > limit };
  }

  private failure(error: unknown, { host }: URL, { isOver }: Deadline, { timeoutMs, signal }: OutboundRequest): Error {
    if (error instanceof OutboundFailed || error instanceof DestinationRefused) return error;
    if (signal?.aborted) return new OutboundFailed('aborted', 'the request was given up', { cause: error });
    if (isOver) return new OutboundFailed('timeout', `${host} did not answer within ${timeoutMs} ms`);
    if (error instanceof errors.InvalidArgumentError) return new DestinationRefused('a header cannot be sent');
    const { code, message } = error as NodeJS.ErrnoException;
    return new OutboundFailed('unreachable', `${host} cannot be reached: ${code ?? message}`, { cause: error });
  }
}

function checkedHeaders(headers: Record<string, string>): Record<string, string> {
  for (const name of Object.keys(headers)) {
    if (OWN_HEADERS.includes(name.toLowerCase()) || name.toLowerCase().startsWith('proxy-'))
      throw new DestinationRefused(`the header ${name} cannot be given: it is made from the request`);
  }
  return headers;
}

function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]));
}
