import { createServer, type Server, type Socket } from 'node:net';
import type { BrokerProtocol, GateRule, NodeCertificate } from '@libs/domain';
import { listenOn } from './listen-on.js';
import { AccessRules } from './access-rules.js';
import { TlsEntrance, type SocketHandler } from './tls-entrance.js';

/** How often the gate checks for expired rules, in milliseconds. */
const EXPIRY_CHECK_MS = 250;

/** The address of a gate's listener. */
export interface GuardedPort {
  address: string;
  port: number;
  /** Time limit for the first byte of a client, and then for its TLS handshake. */
  patienceMs: number;
}

/**
 * The listener of a node. It checks every client connection before it reads or writes a byte. It resets denied peers. When
 * rules change or expire, it also resets open connections that are no longer allowed. This works without the control plane: the
 * gate uses the node's clock plus the last offset. Accepted clients may use TLS. Rules apply to plain and TLS connections
 * alike.
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

  /** Replaces the rules and the offset of the server's clock. Cuts connections that are no longer allowed before it returns. */
  setRules(rules: readonly GateRule[], serverOffsetMs: number): void {
    this.rules = new AccessRules(rules);
    this.serverOffsetMs = serverOffsetMs;
    this.cutDenied();
  }

  /**
   * Uses this certificate for new TLS handshakes, and cuts no connection. Throws BrokerError when the certificate is unusable.
   */
  setCertificate(certs: NodeCertificate | null): void {
    if (certs?.certificate === this.certs?.certificate) return;
    for (const entrance of this.entrances) entrance.show(certs);
    this.certs = certs;
  }

  /** Opens a port for plain and TLS connections. Rejects with BrokerError when the port is taken. */
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

  /** Stops listening. Open connections stay until `cutAll`. */
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
