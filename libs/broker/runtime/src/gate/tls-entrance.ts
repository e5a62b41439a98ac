import type { Socket } from 'node:net';
import { createServer, type SecureContextOptions, type Server } from 'node:tls';
import type { NodeCertificate } from '@libs/domain';
import { BrokerError } from '../broker-error.js';

/** The first byte of a TLS record that holds a handshake. MQTT begins with 0x10, HTTP with a letter. */
const HANDSHAKE = 0x16;

export type SocketHandler = (socket: Socket) => void;

/**
 * One port for plain and for TLS: the first byte of a connection says which, so that neither needs a port of its own. The
 * handler gets the connection with that byte still to be read, paused when it is plain.
 */
export class TlsEntrance {
  private server: Server | null = null;

  constructor(
    private readonly handler: SocketHandler,
    /** Time that a client has for its first byte, and then for the handshake. */
    private readonly patienceMs: number,
  ) {}

  /**
   * Shows this certificate from the next handshake on; connections that live stay as they are. Null: TLS is refused.
   * Throws BrokerError when certificate and key cannot be used; what was shown before stays.
   */
  show(certs: NodeCertificate | null): void {
    if (certs === null) this.server = null;
    else if (this.server === null) this.server = this.serverWith(certs);
    else usable(() => this.server?.setSecureContext(contextOf(certs)));
  }

  accept(socket: Socket): void {
    // Whoever says nothing holds a place among the connections that the gate lets in.
    const timer = setTimeout(() => socket.resetAndDestroy(), this.patienceMs);
    socket.once('close', () => clearTimeout(timer));
    socket.once('data', (chunk: Buffer) => {
      clearTimeout(timer);
      socket.pause();
      socket.unshift(chunk);
      if (chunk[0] !== HANDSHAKE) return this.handler(socket);
      if (this.server === null) return void socket.resetAndDestroy();
      this.server.emit('connection', socket);
    });
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

const contextOf = ({ certificate, private_key }: NodeCertificate): SecureContextOptions => ({
  cert: certificate,
  key: private_key,
  minVersion: 'TLSv1.2',
});

/** OpenSSL's own words may quote what it could not read. */
function usable<T>(make: () => T): T {
  try {
    return make();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new BrokerError(`the certificate of the node cannot be used: ${code ?? 'it is malformed'}`);
  }
}
