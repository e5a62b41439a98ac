import type { Socket } from 'node:net';
import { readProxyHeader } from './proxy-header.js';

/** The outcome of a header. `source`: the address of the client, null when the proxy itself opened the connection. */
export interface HeaderReader {
  /** The socket is paused. Its next byte is the first one of the client. `leftMs`: the rest of the time limit. */
  onHeader(source: string | null, leftMs: number): void;
  onRefused(): void;
}

/**
 * Reads the header of the PROXY protocol from a connection, in any number of packets. The bytes after the header stay unread. Resets
 * the connection when the header is not complete after `timeoutMs`.
 */
export function acceptProxied(socket: Socket, timeoutMs: number, reader: HeaderReader): void {
  const deadline = performance.now() + timeoutMs;
  const timer = setTimeout(() => socket.resetAndDestroy(), timeoutMs);
  socket.once('close', () => clearTimeout(timer));
  let start: Buffer = Buffer.alloc(0);
  const onData = (chunk: Buffer): void => {
    start = start.length > 0 ? Buffer.concat([start, chunk]) : chunk;
    const header = readProxyHeader(start);
    if (header.is === 'incomplete') return;
    clearTimeout(timer);
    socket.off('data', onData);
    socket.pause();
    if (header.is === 'invalid') return reader.onRefused();
    if (start.length > header.bytes) socket.unshift(start.subarray(header.bytes));
    reader.onHeader(header.source, Math.max(0, deadline - performance.now()));
  };
  socket.on('data', onData);
}
