import { createServer, type Server, type Socket } from 'node:net';
import type { BrokerProtocol, GateRule, NodeCertificate } from '@libs/domain';
import { ConnectionAdmission, type ConnectionLimits, type OnCut } from '@libs/domain/admission';
import { listenOn } from './listen-on.js';
import { AccessRules } from './access-rules.js';
import { ProxiedRanges } from './proxy/proxied-ranges.js';
import { acceptProxied } from './proxy/proxy-entrance.js';
import { TlsEntrance, type SocketHandler } from './tls-entrance.js';

/** How often the gate checks for expired rules, in milliseconds. */
const EXPIRY_CHECK_MS = 250;

/** The address of a gate's listener. */
export interface GuardedPort {
  address: string;
  port: number;
  /** Time limit for the header of a proxy and the first byte of a client together, and then for the TLS handshake. */
  patienceMs: number;
}

interface Admitted {
  protocol: BrokerProtocol;
  /** The other end of the connection: a client, or the proxy of a client. */
  peer: string | undefined;
  isProxied: boolean;
  /** Null while the header of the proxy is not complete. */
  client: { address: string | undefined } | null;
}

/** How a listener continues with an accepted connection. */
interface Entry {
  entrance: TlsEntrance;
  patienceMs: number;
}

/**
 * The listener of a node. It checks every client connection before it reads or writes a byte. It resets denied peers. When
 * rules change or expire, it also resets open connections that are no longer allowed. This works without the control plane: the
 * gate uses the node's clock plus the last offset. Accepted clients may use TLS. Rules apply to plain and TLS connections
 * alike.
 *
 * A connection from the network of a proxy must begin with a header of the PROXY protocol, version 2. The rules then apply to the
 * address in the header. From every other network a header is refused.
 */
export class Gate {
  private readonly live = new Map<Socket, Admitted>();
  private readonly servers: Server[] = [];
  private readonly entrances: TlsEntrance[] = [];
  private readonly timer: NodeJS.Timeout;
  private rules = new AccessRules([]);
  private proxies = new ProxiedRanges([]);
  private certs: NodeCertificate | null = null;
  private serverOffsetMs = 0;
  private validRules = 0;
  private deniedTotal = 0;
  private cutTotal = 0;

  /** Tells who has signed in. Connections before that have a small part of the places. */
  readonly admission: ConnectionAdmission;

  constructor(
    limits: ConnectionLimits,
    onCut: OnCut = () => undefined,
    /** Called with the address of a client that no access rule allows. */
    private readonly onRefused: (address: string | undefined) => void = () => undefined,
  ) {
    this.admission = new ConnectionAdmission(limits, (...cut) => {
      this.cutTotal += 1;
      onCut(...cut);
    });
    this.timer = setInterval(() => this.cutExpired(), EXPIRY_CHECK_MS);
    this.timer.unref();
  }

  /**
   * Replaces the rules, the offset of the server's clock, and the networks of proxies in CIDR notation. Cuts connections that are no
   * longer allowed before it returns, also those with a header from a network that is no longer one of a proxy, and the reverse.
   */
  setRules(rules: readonly GateRule[], serverOffsetMs: number, proxies: readonly string[] = []): void {
    this.rules = new AccessRules(rules);
    this.proxies = new ProxiedRanges(proxies);
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
    const entrance = new TlsEntrance(handler, patienceMs, (secured, socket) => this.admission.join(secured, socket));
    entrance.show(this.certs);
    this.entrances.push(entrance);
    const server = createServer({ noDelay: true }, (socket) => this.admit(protocol, socket, { entrance, patienceMs }));
    await listenOn(server, address, port);
    this.servers.push(server);
  }

  get clients(): number {
    return this.live.size;
  }

  get denied(): number {
    return this.deniedTotal;
  }

  /** Connections that a limit of connections has closed. */
  get cut(): number {
    return this.cutTotal;
  }

  /** Stops listening. Open connections stay until `cutAll`. */
  close(): void {
    clearInterval(this.timer);
    for (const server of this.servers) server.close();
  }

  cutAll(): void {
    this.admission.stop();
    for (const socket of this.live.keys()) socket.destroy();
  }

  private admit(protocol: BrokerProtocol, socket: Socket, entry: Entry): void {
    // Without a listener an error on a cut connection would end the process.
    socket.on('error', () => socket.destroy());
    const peer = socket.remoteAddress;
    const isProxied = this.proxies.includes(peer);
    const admitted = { protocol, peer, isProxied, client: isProxied ? null : { address: peer } };
    if (!this.isAllowed(admitted)) return this.refuse(socket, peer);
    const newcomer = { address: peer ?? '', isProxy: isProxied, serve: () => undefined };
    if (!this.admission.admit(socket, newcomer)) return void (this.deniedTotal += 1);
    this.live.set(socket, admitted);
    socket.once('close', () => this.live.delete(socket));
    if (isProxied) this.readHeader(socket, admitted, entry);
    else entry.entrance.accept(socket);
  }

  private readHeader(socket: Socket, admitted: Admitted, { entrance, patienceMs }: Entry): void {
    acceptProxied(socket, patienceMs, {
      onHeader: (source, leftMs) => {
        admitted.client = { address: source ?? admitted.peer };
        if (!this.isAllowed(admitted)) return this.refuse(socket, admitted.client.address);
        this.admission.locate(socket, admitted.client.address ?? '');
        if (socket.destroyed) return;
        entrance.accept(socket, { address: admitted.client.address, patienceMs: leftMs });
        socket.resume();
      },
      onRefused: () => this.deny(socket),
    });
  }

  private refuse(socket: Socket, address: string | undefined): void {
    this.onRefused(address);
    this.deny(socket);
  }

  private deny(socket: Socket): void {
    this.deniedTotal += 1;
    socket.resetAndDestroy();
  }

  /** A connection whose header is not complete waits under the time limit. */
  private isAllowed({ protocol, peer, isProxied, client }: Admitted): boolean {
    if (this.proxies.includes(peer) !== isProxied) return false;
    return client === null || this.rules.allows(protocol, client.address, this.now());
  }

  private cutExpired(): void {
    if (this.rules.countValid(this.now()) !== this.validRules) this.cutDenied();
  }

  private cutDenied(): void {
    this.validRules = this.rules.countValid(this.now());
    for (const [socket, admitted] of this.live) {
      if (!this.isAllowed(admitted)) socket.resetAndDestroy();
    }
  }

  private now(): number {
    return Date.now() + this.serverOffsetMs;
  }
}
