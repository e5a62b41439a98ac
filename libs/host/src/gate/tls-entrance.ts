import type { Socket } from 'node:net';
import { createServer, type SecureContextOptions, type Server } from 'node:tls';
import type { NodeCertificate } from '@libs/domain';
import { BrokerError } from '../control/broker-error.js';
import { showClientAddress } from './proxy/client-address.js';
import { startsWithSignature } from './proxy/proxy-header.js';

/**
 * The start of a TLS handshake record: its type, the major version, and the minor version, which is at least 1. MQTT starts with
 * 0x10, HTTP with a letter. The frames of Apache Iggy start with a length, which may have the same first two bytes. Its third
 * byte is then 0.
 */
const HANDSHAKE = [0x16, 0x03];
const LEAST_MINOR = 1;
const START_BYTES = 3;

/** What the header of a proxy changes for one connection. */
export interface BehindProxy {
  /** The address of the client. */
  address: string | undefined;
  /** The rest of the time limit for the first byte. */
  patienceMs: number;
}

export type SocketHandler = (socket: Socket) => void;

/**
 * One port for plain and TLS connections. The first bytes of a connection decide, so that TLS needs no separate port. The
 * handler gets the connection with those bytes unread. A plain connection is paused. Resets a connection that begins with a header of
 * the PROXY protocol: no client sends one, and Apache Iggy would wait for a frame of the length in its first bytes.
 */
export class TlsEntrance {
  private server: Server | null = null;
  /** Connections during their handshake, by their ends. */
  private readonly handshaking = new Map<string, { socket: Socket; proxied: BehindProxy | undefined }>();

  constructor(
    private readonly handler: SocketHandler,
    /** Time limit for the first byte of a client, and then for the handshake. */
    private readonly patienceMs: number,
    /** Tells which connection a socket of TLS belongs to. */
    private readonly onSecured: (secured: Socket, socket: Socket) => void = () => undefined,
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

  /** `proxied`: only for a connection that began with a header of a proxy. The handler sees the address of the client. */
  accept(socket: Socket, proxied?: BehindProxy): void {
    // A silent connection uses one of the gate's connection slots.
    const timer = setTimeout(() => socket.resetAndDestroy(), proxied?.patienceMs ?? this.patienceMs);
    socket.once('close', () => clearTimeout(timer));
    let start: Buffer = Buffer.alloc(0);
    const onData = (chunk: Buffer): void => {
      start = start.length > 0 ? Buffer.concat([start, chunk]) : chunk;
      const [isTls, isHeader] = [startsWithHandshake(start), startsWithSignature(start)];
      if (isTls === null || isHeader === null) return;
      clearTimeout(timer);
      socket.off('data', onData);
      if (isHeader) return void socket.resetAndDestroy();
      socket.pause();
      socket.unshift(start);
      if (isTls) return this.beginTls(socket, proxied);
      if (proxied) showClientAddress(socket, proxied.address);
      this.handler(socket);
    };
    socket.on('data', onData);
  }

  private beginTls(socket: Socket, proxied: BehindProxy | undefined): void {
    if (this.server === null) return void socket.resetAndDestroy();
    this.remember(socket, proxied);
    this.server.emit('connection', socket);
  }

  /** Node.js makes the TLS socket itself and does not say from which socket. Both have the same ends. */
  private remember(socket: Socket, proxied: BehindProxy | undefined): void {
    const ends = endsOf(socket);
    this.handshaking.set(ends, { socket, proxied });
    socket.once('close', () => this.handshaking.delete(ends));
  }

  private serverWith(certs: NodeCertificate): Server {
    const options = { ...contextOf(certs), handshakeTimeout: this.patienceMs };
    const server = usable(() => createServer(options));
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    server.on('secureConnection', (socket) => {
      // Without a listener an error on a cut connection would end the process.
      socket.on('error', () => socket.destroy());
      const begun = this.handshaking.get(endsOf(socket));
      if (begun) this.onSecured(socket, begun.socket);
      if (begun?.proxied) showClientAddress(socket, begun.proxied.address);
      this.handler(socket);
    });
    return server;
  }
}

const endsOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

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
