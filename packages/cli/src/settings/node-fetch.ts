import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { noteTime } from './clock.js';
import { ENVIRONMENT } from './config.js';
import { readInput } from './read-input.js';
import { noteRelease } from './release.js';
import { noteAnswer } from './silence.js';

type Fetch = typeof globalThis.fetch;
interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
}

/**
 * A `fetch` over node:http, with what the SDK uses of a response. The `fetch` of Node takes 110 ms of CPU time at its first call,
 * which is more than everything else that a command does.
 */
export function nodeFetch(caFile: string | undefined): Fetch {
  const fetch = async (url: string, { method = 'GET', headers = {}, body, signal }: Asked = {}): Promise<Reply> => {
    signal?.throwIfAborted();
    const isSecure = url.startsWith('https:');
    const { request } = isSecure ? await import('node:https') : await import('node:http');
    const own = caFile === undefined ? undefined : await certificatesOf(caFile);
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const proxy = ENVIRONMENT.hasProxy ? (await import('./proxy.js')).proxyFor(url) : null;
    const options = {
      method,
      headers: { ...headers, ...length } as OutgoingHttpHeaders,
      ...(own && { ca: own }),
      ...(proxy && { agent: proxy.agent }),
    };
    return new Promise((resolve, reject) => {
      const call = request(url, options, (message) => {
        noteAnswer();
        noteTime(message.headers.date);
        noteRelease(url, (message.headers['ld-version'] as string | undefined) ?? null);
        // The SDK wants no redirects: they could carry the key to another host.
        const status = message.statusCode ?? 0;
        if (status >= 300 && status < 400 && status !== 304) reject(new TypeError(`unexpected redirect (${status})`));
        else resolve(new Reply(url, message));
      });
      // The option `signal` of node:http loads another module of Node at each start.
      signal?.addEventListener('abort', () => call.destroy(signal.reason as Error), { once: true });
      call.on('error', (error) => reject(explained(error, isSecure, proxy)));
      call.end(body);
    });
  };
  // The SDK calls it with strings, and reads the members of Reply only.
  return fetch as unknown as Fetch;
}

/** The code of the error of a proxy that does not answer. */
export const NO_PROXY_ANSWER = 'ERR_NO_PROXY_ANSWER';
const NO_CONNECTION = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ECONNRESET'];

/** The error with what a person can do something about: the proxy, or the scheme of the address. */
function explained(error: NodeJS.ErrnoException, isSecure: boolean, proxy: { name: string } | null): Error {
  if (proxy && NO_CONNECTION.includes(error.code ?? ''))
    return Object.assign(new Error(`the proxy ${proxy.name} does not answer: ${error.message}`), {
      code: NO_PROXY_ANSWER,
    });
  return isSecure && isPlainHttp(error) ? noTls() : error;
}

/** The code of the error of a server that speaks http. */
export const NO_TLS = 'ERR_NO_TLS';
/** What OpenSSL says about an answer that is no TLS. */
const isPlainHttp = ({ message, code = '' }: NodeJS.ErrnoException): boolean =>
  /wrong version number|packet length too long/i.test(`${message} ${code.replaceAll('_', ' ')}`);
const noTls = (): Error =>
  Object.assign(new Error('the server speaks http, and the address begins with https://'), { code: NO_TLS });

async function certificatesOf(file: string): Promise<string[]> {
  const { rootCertificates } = await import('node:tls');
  return [...rootCertificates, readInput(file)];
}

class Reply {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: ReplyHeaders;

  constructor(
    readonly url: string,
    private readonly message: IncomingMessage,
  ) {
    this.status = message.statusCode ?? 0;
    this.ok = this.status >= 200 && this.status < 300;
    this.headers = new ReplyHeaders(message);
  }

  async text(): Promise<string> {
    return Buffer.from(await this.arrayBuffer()).toString();
  }

  async arrayBuffer(): Promise<Uint8Array> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.message) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }

  get body() {
    const { message } = this;
    const chunks = message[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
    return {
      getReader: () => ({
        read: async () => {
          const chunk = await chunks.next();
          noteAnswer();
          return chunk;
        },
        cancel: async () => void message.destroy(),
      }),
    };
  }
}

class ReplyHeaders {
  constructor(private readonly message: IncomingMessage) {}

  get(name: string): string | null {
    const value = this.message.headers[name.toLowerCase()];
    return (typeof value === 'string' ? value : value?.join(', ')) ?? null;
  }

  forEach(visit: (value: string, name: string) => void): void {
    for (const name of Object.keys(this.message.headers)) visit(this.get(name) ?? '', name);
  }
}
