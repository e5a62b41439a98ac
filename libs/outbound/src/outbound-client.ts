import { isIP, type LookupFunction } from 'node:net';
import { Agent, errors, request, type Dispatcher } from 'undici';
import { Deadline } from './deadline.js';
import { addressesOf, readDestination, requireAllowed, type OutboundPolicy } from './destination.js';
import { DestinationRefused, OutboundFailed } from './outbound-error.js';

export interface OutboundOptions extends OutboundPolicy {
  /** Connections to one destination at the same time; 10 by default. */
  connections?: number;
  /** Takes any certificate: only where the owner of the destination asks for it. */
  acceptInvalidCertificates?: boolean;
}

export interface OutboundRequest {
  url: string;
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** For all of it, in milliseconds: the name, the connection, the answer with its body. */
  timeoutMs: number;
  signal?: AbortSignal;
  /** How much of the answer's body is read; the rest is left. 64 KiB by default. */
  maxBodyBytes?: number;
}

export interface OutboundAnswer {
  status: number;
  /** By lower-case name; several of one name joined with commas. */
  headers: Record<string, string>;
  /** The beginning of the body, up to `maxBodyBytes`. */
  body: Buffer;
  isTruncated: boolean;
}

const BODY_BYTES = 64 * 1024;
const HEADER_BYTES = 16 * 1024;
const CONNECTIONS = 10;
/** Made from URL and body, or meaning another hop: a customer's header of these names could say something else. */
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
 * Sends requests to URLs that customers gave. What is dialled is what was judged: a name is resolved once for each connection,
 * by this client, and all its addresses are judged before any of them is dialled, so a resolver that changes its mind after
 * the URL was saved gains nothing. Redirects are not followed, proxies of the environment are not asked, and nothing is logged.
 */
export class OutboundClient {
  private readonly agent: Agent;

  constructor(private readonly options: OutboundOptions) {
    this.agent = new Agent({
      connections: options.connections ?? CONNECTIONS,
      pipelining: 1,
      maxHeaderSize: HEADER_BYTES,
      connect: {
        lookup: this.lookup(),
        autoSelectFamily: true,
        rejectUnauthorized: options.acceptInvalidCertificates !== true,
      },
    });
  }

  /**
   * One request, sent once. Resolves for every answer but a redirect.
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

  /** Ends all connections; what is under way fails. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async read({ statusCode, headers, body }: Dispatcher.ResponseData, limit: number): Promise<OutboundAnswer> {
    if (statusCode >= 300 && statusCode < 400 && headers['location'] !== undefined) {
      // Unread, its end is an error that nobody else listens for.
      body.on('error', () => undefined).destroy();
      throw new OutboundFailed('redirect', `the destination answered ${statusCode}, and redirects are not followed`);
    }
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, limit - size));
      size += chunk.length;
      // Leaving the loop ends the body, and with it the connection: nobody makes us read for ever.
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

  /** The name as the connection sees it: only addresses that were judged, for one dial. */
  private lookup(): LookupFunction {
    return (hostname, { all }, done) => {
      addressesOf(hostname, this.options).then(
        (addresses) => {
          const refusal = refusalOf(hostname, addresses, this.options);
          if (refusal) return done(refusal, '');
          const found = addresses.map((address) => ({ address, family: isIP(address) }));
          if (all) return done(null, found);
          done(null, found[0]?.address ?? '', found[0]?.family);
        },
        (error: NodeJS.ErrnoException) => done(error, ''),
      );
    };
  }
}

function refusalOf(hostname: string, addresses: string[], policy: OutboundPolicy): Error | null {
  if (addresses.length === 0) return new OutboundFailed('unreachable', `${hostname} has no address`);
  try {
    requireAllowed(hostname, addresses, policy);
    return null;
  } catch (error) {
    return error as Error;
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
