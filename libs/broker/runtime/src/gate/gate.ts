import { createServer, type Server, type Socket } from 'node:net';
import type { BrokerProtocol, GateRule, NodeCertificate } from '@libs/domain';
import { listenOn } from './listen-on.js';
import { AccessRules } from './access-rules.js';
import { TlsEntrance, type SocketHandler } from './tls-entrance.js';

/** Rules that end by the clock are noticed this often, in milliseconds. */
const EXPIRY_CHECK_MS = 250;

/** Where a gate listens. */
export interface GuardedPort {
  address: string;
  port: number;
  /** Time that a client has for its first byte, and then for a TLS handshake. */
  patienceMs: number;
}

/**
 * The door of a node: every client connection passes here, before a byte is read from it or written to it. A denied
 * peer is reset. When rules change or end, live connections that are no longer allowed are reset too, with the
 * control plane away as well, since the clock is the node's own plus the last learnt offset. Who is let in may speak TLS:
 * the rules are of connections, so they hold for both alike.
 */
export class Gate {
  private readonly live = new Map<Socket, BrokerProtocol>();
  private readonly servers: Server[] = [];
  private readonly entrances: TlsEntrance[] = [];
  private readonly timer: NodeJS.Timeout;
  private rules = new AccessRules([]);
  private certs: NodeCertificate | null = null;
  private serverOffsetMs = 0;
  private validRules = 0;
  private deniedTotal = 0;

  constructor(private readonly maxSockets: number) {
    this.timer = setInterval(() => this.cutExpired(), EXPIRY_CHECK_MS);
    this.timer.unref();
  }

  /** Replaces the rules and the offset of the server's clock. Cuts what is no longer allowed before it returns. */
  setRules(rules: readonly GateRule[], serverOffsetMs: number): void {
    this.rules = new AccessRules(rules);
    this.serverOffsetMs = serverOffsetMs;
    this.cutDenied();
  }

  /** Shows this certificate to whoever asks for TLS from now on; nobody is cut. Throws BrokerError when it cannot be used. */
  setCertificate(certs: NodeCertificate | null): void {
    if (certs?.certificate === this.certs?.certificate) return;
    for (const entrance of this.entrances) entrance.show(certs);
    this.certs = certs;
  }

  /** Opens a guarded port, for plain and TLS alike. Rejects with BrokerError when it is taken. */
  async open(
    protocol: BrokerProtocol,
    { address, port, patienceMs }: GuardedPort,
    handler: SocketHandler,
  ): Promise<void> {
    const entrance = new TlsEntrance(handler, patienceMs);
    entrance.show(this.certs);
    this.entrances.push(entrance);
    const server = createServer({ noDelay: true }, (socket) => this.admit(protocol, socket, entrance));
    await listenOn(server, address, port);
    this.servers.push(server);
  }

  get clients(): number {
    return this.live.size;
  }

  get denied(): number {
    return this.deniedTotal;
  }

  /** Stops listening. Live connections stay until `cutAll`. */
  close(): void {
    clearInterval(this.timer);
    for (const server of this.servers) server.close();
  }

  cutAll(): void {
    for (const socket of this.live.keys()) socket.destroy();
  }

  private admit(protocol: BrokerProtocol, socket: Socket, entrance: TlsEntrance): void {
    // Without a listener an error on a cut connection would end the process.
    socket.on('error', () => socket.destroy());
    if (this.live.size >= this.maxSockets || !this.isAllowed(protocol, socket)) {
      this.deniedTotal += 1;
      socket.resetAndDestroy();
      return;
    }
    this.live.set(socket, protocol);
    socket.once('close', () => this.live.delete(socket));
    entrance.accept(socket);
  }

  private isAllowed(protocol: BrokerProtocol, socket: Socket): boolean {
    return this.rules.allows(protocol, socket.remoteAddress, this.now());
  }

  private cutExpired(): void {
    if (this.rules.countValid(this.now()) !== this.validRules) this.cutDenied();
  }

  private cutDenied(): void {
    this.validRules = this.rules.countValid(this.now());
    for (const [socket, protocol] of this.live) {
      if (!this.isAllowed(protocol, socket)) socket.resetAndDestroy();
    }
  }

  private now(): number {
    return Date.now() + this.serverOffsetMs;
  }
}
