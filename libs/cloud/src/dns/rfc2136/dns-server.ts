import { once } from 'node:events';
import { connect, isIPv6, type Socket } from 'node:net';
import { CloudError } from '../../cloud-error.js';

/** Where the DNS server listens, for TCP. */
export interface DnsServer {
  host: string;
  port: number;
}

/** Sends one message and returns its answer. One after the other. */
export type Ask = (message: Buffer) => Promise<Buffer>;

const DEFAULT_PORT = 53;
/** A server that is up answers within milliseconds. */
const DEFAULT_TIMEOUT_MS = 5_000;

interface Limits {
  signal: AbortSignal | undefined;
  /** For the connection, and for each answer. Default: 5000. */
  timeoutMs: number | undefined;
}

/** Reads `host`, `host:port`, `address`, `address:port` or `[address]:port`. Null for any other text. */
export function readDnsServer(text: string): DnsServer | null {
  if (isIPv6(text)) return { host: text, port: DEFAULT_PORT };
  const [, bracketed, plain, digits] = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits ?? DEFAULT_PORT);
  if (host === undefined || port < 1 || port > 65_535 || (bracketed && !isIPv6(bracketed))) return null;
  return { host, port };
}

export const serverText = ({ host, port }: DnsServer): string => `${isIPv6(host) ? `[${host}]` : host}:${port}`;

/**
 * Runs the work on a new connection. A connection for each call: calls are rare, and servers close idle connections.
 * @throws CloudError `unavailable` without a connection or an answer; the reason of the signal when it is aborted
 */
export async function withConnection<T>(
  server: DnsServer,
  { signal, timeoutMs = DEFAULT_TIMEOUT_MS }: Limits,
  work: (ask: Ask) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const socket = connect(server).setNoDelay();
  // Every failure also reaches the call that waits for the socket.
  socket.on('error', () => undefined);
  const stop = (): unknown => socket.destroy();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const limits = [AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])];
    await once(socket, 'connect', { signal: AbortSignal.any(limits) });
    return await work(asking(socket, timeoutMs));
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof CloudError) throw error;
    const reason = `the DNS server ${serverText(server)} ${reasonOf(error, timeoutMs)}`;
    throw new CloudError({ code: 'unavailable' }, reason, { cause: error });
  } finally {
    signal?.removeEventListener('abort', stop);
    socket.destroy();
  }
}

/** Each message has its length before it (RFC 1035, 4.2.2). */
function asking(socket: Socket, timeoutMs: number): Ask {
  const chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  let received: Buffer = Buffer.alloc(0);
  const bytes = async (count: number): Promise<Buffer> => {
    while (received.length < count) {
      const { value, done } = await chunks.next();
      if (done) throw new ConnectionEnded();
      received = Buffer.concat([received, value]);
    }
    const [message, rest] = [received.subarray(0, count), received.subarray(count)];
    received = rest;
    return message;
  };
  return async (message) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(message.length);
    socket.write(Buffer.concat([length, message]));
    const timer = setTimeout(() => socket.destroy(), timeoutMs);
    try {
      return await bytes((await bytes(2)).readUInt16BE());
    } finally {
      clearTimeout(timer);
    }
  };
}

class ConnectionEnded extends Error {}

function reasonOf(error: unknown, timeoutMs: number): string {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof ConnectionEnded) return 'closed the connection without an answer';
  if (code === undefined || code === 'ABORT_ERR' || code === 'ERR_STREAM_PREMATURE_CLOSE')
    return `does not answer within ${timeoutMs} milliseconds`;
  return `cannot be reached (${code})`;
}
