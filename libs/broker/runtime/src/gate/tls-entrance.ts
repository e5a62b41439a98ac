import type { Socket } from 'node:net';
import { createServer, type SecureContextOptions, type Server } from 'node:tls';
import type { NodeCertificate } from '@libs/domain';
import { BrokerError } from '../broker-error.js';

/**
 * The start of a TLS handshake record: its type, the major version, and the minor version, which is at least 1. MQTT starts with
 * 0x10, HTTP with a letter. The frames of Apache Iggy start with a length, which may have the same first two bytes. Its third
 * byte is then 0.
 */
const HANDSHAKE = [0x16, 0x03];
const LEAST_MINOR = 1;
const START_BYTES = 3;

export type SocketHandler = (socket: Socket) => void;

/**
 * One port for plain and TLS connections. The first bytes of a connection decide, so that TLS needs no separate port. The
 * handler gets the connection with those bytes unread. A plain connection is paused.
 */
export class TlsEntrance {
  private server: Server | null = null;

  constructor(
    private readonly handler: SocketHandler,
    /** Time limit for the first byte of a client, and then for the handshake. */
    private readonly patienceMs: number,
  ) {}

  /**
   * Uses this certificate from the next handshake on. Open connections are not affected. Null: refuses TLS. Throws BrokerError
   * when certificate and key are unusable; the previous certificate stays.
   */
  show(certs: NodeCertificate | null): void {
    if (certs === null) this.server = null;
    else if (this.server === null) this.server = this.serverWith(certs);
    else usable(() => this.server?.setSecureContext(contextOf(certs)));
  }

  accept(socket: Socket): void {
    // A silent connection uses one of the gate's connection slots.
    const timer = setTimeout(() => socket.resetAndDestroy(), this.patienceMs);
    socket.once('close', () => clearTimeout(timer));
    let start: Buffer = Buffer.alloc(0);
    const onData = (chunk: Buffer): void => {
      start = start.length > 0 ? Buffer.concat([start, chunk]) : chunk;
      const isTls = startsWithHandshake(start);
      if (isTls === null) return;
      clearTimeout(timer);
      socket.off('data', onData);
      socket.pause();
      socket.unshift(start);
      if (!isTls) return this.handler(socket);
      if (this.server === null) return void socket.resetAndDestroy();
      this.server.emit('connection', socket);
    };
    socket.on('data', onData);
  }

  private serverWith(certs: NodeCertificate): Server {
    const options = { ...contextOf(certs), handshakeTimeout: this.patienceMs };
    const server = usable(() => createServer(options));
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    server.on('secureConnection', (socket) => {
      // Without a listener an error on a cut connection would end the process.
      socket.on('error', () => socket.destroy());
      this.handler(socket);
    });
    return server;
  }
}

/** Null: more bytes are needed. */
function startsWithHandshake(start: Buffer): boolean | null {
  if (HANDSHAKE.some((byte, index) => index < start.length && start[index] !== byte)) return false;
  return start.length < START_BYTES ? null : start.readUInt8(HANDSHAKE.length) >= LEAST_MINOR;
}

const contextOf = ({ certificate, private_key }: NodeCertificate): SecureContextOptions => ({
  cert: certificate,
  key: private_key,
  minVersion: 'TLSv1.2',
});

/** OpenSSL's own message may quote the unreadable text. */
function usable<T>(make: () => T): T {
  try {
    return make();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new BrokerError(`the certificate of the node cannot be used: ${code ?? 'it is malformed'}`);
  }
}
