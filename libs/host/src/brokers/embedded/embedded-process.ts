import { mkdir } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ClientList, NODE_ORIGIN, originOf } from '../../gate/clients/client-list.js';
import { ClientNotices } from '../../gate/clients/client-notices.js';
import type { ClientOrigin } from '../../gate/clients/client-session.js';
import { TopicCounts } from '../../gate/clients/topic-counts.js';
import type { Gate, GuardedPort } from '../../gate/gate.js';
import { newGate } from '../../gate/new-gate.js';
import { visitorOf, type Visitor } from '../../gate/visitor.js';
import { gateHash, type GateSettings } from '../../control/gate-settings.js';
import { reasonOf, type JsonLog } from '../../os/json-log.js';
import { frozenDirectory } from '../../control/node-home.js';
import type { Carrier } from './carrier.js';
import type { CarryListener } from './carry-listener.js';
import { ControlServer, type Controlled } from '../../control/control-server.js';
import type { EmbeddedBroker } from './embedded-broker.js';
import { EMBEDDED_VERSION, isLeader, type EmbeddedConfig } from './embedded-config.js';
import { embeddedValues, type EmbeddedValues } from '@libs/broker-config';
import { HTTP_PATIENCE_MS } from '../../gate/accepted-sockets.js';
import { ClientLogins } from '../../gate/logins/client-logins.js';
import { HttpEndpoint } from '../../gate/http-endpoint.js';
import { linkedPair } from '../../gate/ui/linked-pair.js';
import { KEEP_ALIVE_SECONDS, pageIdentity, type PageSources } from '../../gate/ui/page-sources.js';
import type { WebSocketEndpoint } from '../../gate/mqtt/websocket-endpoint.js';

/** Computed once. A new computation per answer would vary by a millisecond, and with every change of the clock. */
const STARTED_AT = new Date(Date.now() - process.uptime() * 1000).toISOString();

/** Limit for a graceful stop. After it the process ends. */
const STOP_DEADLINE_MS = 5_000;

/** One embedded broker process: gate, endpoints, and the broker itself or the connection to the leader. */
export class EmbeddedProcess implements Controlled {
  private readonly values: EmbeddedValues;
  private readonly gate: Gate;
  private readonly control: ControlServer;
  /** A leader counts the topics of all nodes in its broker. A follower counts those of its own clients. */
  private readonly followerTopics: TopicCounts | null;
  private readonly clients: ClientList;
  private readonly notices: ClientNotices;
  private readonly logins: ClientLogins;
  private broker: EmbeddedBroker | null = null;
  private websocket: WebSocketEndpoint | null = null;
  private http: HttpEndpoint | null = null;
  private peers: CarryListener | null = null;
  private carrier: Carrier | null = null;
  private gateSettings: GateSettings;
  private isListening = false;
  private stopping: Promise<void> | null = null;
  /** Connections for WebSocket from followers. */
  private readonly carried = new WeakSet<Socket>();

  constructor(
    private readonly config: EmbeddedConfig,
    private readonly log: JsonLog,
  ) {
    this.values = embeddedValues(config.values);
    this.notices = new ClientNotices(log);
    this.gate = newGate(this.values['mqtt.max_connections'], this.values['mqtt.connect_timeout'] * 1000, log);
    this.gateSettings = config.gate;
    this.logins = new ClientLogins(config.gate.credentials);
    this.followerTopics = isLeader(config) ? null : new TopicCounts();
    this.clients = new ClientList(this.followerTopics);
    const home = { dir: config.dir, installation: config.installation, nodeId: config.node_id };
    this.control = new ControlServer(home, 'broker', this);
  }

  /** Takes the lock, then opens store and ports. If it rejects with BrokerError, the process must end. */
  async start(): Promise<void> {
    await this.control.claim();
    this.setGate(this.config.gate);
    if (isLeader(this.config)) await this.startLeader();
    else await this.startFollower();
    await this.openPorts();
    this.isListening = true;
    this.log.info('broker is listening', { role: isLeader(this.config) ? 'leader' : 'follower' });
  }

  ping(): Record<string, unknown> {
    const reason = this.isListening ? (this.carrier?.failure ?? null) : 'the broker is starting';
    return {
      node: this.config.node_id,
      pid: process.pid,
      started_at: STARTED_AT,
      version: EMBEDDED_VERSION,
      config_hash: this.config.config_hash,
      gate_hash: gateHash(this.gateSettings),
      server_offset_ms: this.gateSettings.server_offset_ms,
      listening: this.isListening,
      refused_logins: this.clients.refusals.recent(),
      ready: reason === null,
      reason,
    };
  }

  /**
   * A follower reports no bytes, because its leader counts them, and the sum over all nodes is charged. Each node counts the
   * clients that it accepted.
   */
  stats(): Record<string, number> {
    const cpu = process.cpuUsage();
    return {
      clients: this.clients.size,
      ...this.broker?.stats(),
      gate_clients: this.gate.clients,
      gate_denied: this.gate.denied,
      gate_cut: this.gate.cut,
      refused_logins: this.clients.refusals.total,
      refused_packets: this.notices.packets,
      memory_bytes: process.memoryUsage.rss(),
      cpu_seconds: (cpu.user + cpu.system) / 1e6,
      uptime_seconds: Math.round(process.uptime()),
    };
  }

  /** The copy is always in the node's directory. A follower has no data. */
  async freeze(): Promise<void> {
    const to = frozenDirectory(this.config);
    if (this.broker) await this.broker.freeze(to);
    else await mkdir(to, { recursive: true, mode: 0o700 });
  }

  setGate(settings: GateSettings): void {
    this.gate.setRules(settings.rules, settings.server_offset_ms, settings.proxies);
    this.gate.setCertificate(settings.certs ?? null);
    this.logins.set(settings.credentials, settings.server_offset_ms);
    this.gateSettings = settings;
  }

  enter(socket: Socket): void {
    if (this.isListening) this.serve(socket, NODE_ORIGIN);
    else socket.destroy();
  }

  stop(): void {
    if (this.stopping) return;
    // Only the end of the process releases the lock, so that a successor does not find the store or a port in use.
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
    this.stopping = this.close().then(
      () => process.exit(0),
      (error: unknown) => {
        this.log.error('broker did not stop cleanly', { reason: reasonOf(error) });
        process.exit(1);
      },
    );
  }

  private async close(): Promise<void> {
    this.isListening = false;
    this.gate.close();
    this.carrier?.stop();
    this.peers?.close();
    this.websocket?.close();
    this.http?.close();
    await this.broker?.stop();
    this.gate.cutAll();
    this.log.info('broker stopped');
  }

  private async startLeader(): Promise<void> {
    // Loaded only here, so that a follower's gate stays small.
    const { EmbeddedBroker } = await import('./embedded-broker.js');
    const { openCipher } = await import('../encryption/sealed-data.js');
    // Before the store exists, because it opens and changes its files without a request.
    const cipher = await openCipher(this.config);
    const broker = new EmbeddedBroker(this.config, this.values, this.logins, cipher, this.notices);
    await broker.start((error) => this.giveUp(error));
    this.broker = broker;
    await this.loadWebSocket();
    if (this.config.listen.peer === null) return;
    const { CarryListener } = await import('./carry-listener.js');
    this.peers = new CarryListener(this.config.cluster.secret, (protocol, socket) =>
      this.serveCarried(protocol, socket),
    );
    await this.peers.listen(this.config.listen.address, this.config.listen.peer);
  }

  private async startFollower(): Promise<void> {
    const { Carrier } = await import('./carrier.js');
    const leader = this.config.cluster.leader ?? { host: '', port: 0 };
    this.carrier = new Carrier(leader, this.config.cluster.secret);
    this.carrier.start();
    if (this.config.listen.ports.websocket !== null && this.values['websocket.enabled']) await this.loadWebSocket();
  }

  /** Each node ends the WebSockets of its own clients. Followers of earlier releases carry them to the leader. */
  private async loadWebSocket(): Promise<void> {
    const { WebSocketEndpoint } = await import('../../gate/mqtt/websocket-endpoint.js');
    this.websocket = new WebSocketEndpoint(this.values['mqtt.max_packet_size'], (stream, socket) => {
      if (this.carried.has(socket)) this.broker?.accept(stream, null);
      else this.serve(stream, originOf('websocket', socket), visitorOf(this.gate.admission, socket));
    });
  }

  private async openPorts(): Promise<void> {
    const { address, ports } = this.config.listen;
    const http = new HttpEndpoint(this.pageSources(), () => this.stats(), this.gate.admission);
    this.http = http;
    const signInMs = this.values['mqtt.connect_timeout'] * 1000;
    const at = (port: number, patienceMs = signInMs): GuardedPort => ({ address, port, patienceMs });
    if (ports.tcp !== null)
      await this.gate.open('tcp', at(ports.tcp), (socket) =>
        this.serve(socket, originOf('tcp', socket), visitorOf(this.gate.admission, socket)),
      );
    if (ports.websocket !== null && this.values['websocket.enabled'])
      await this.gate.open('websocket', at(ports.websocket), (socket) => this.websocket?.accept(socket));
    if (ports.http !== null && this.values['http.enabled'])
      await this.gate.open('http', at(ports.http, HTTP_PATIENCE_MS), (socket) => http.accept(socket));
  }

  /** A connection of the page itself may have no origin. Then it is not listed. */
  private serve(transport: Duplex, origin: ClientOrigin | null, visitor: Visitor | null = null): void {
    const observer = origin && this.clients.add(origin, transport, visitor);
    if (this.carrier) this.carrier.carry(transport, origin?.address ?? null, observer);
    else this.broker?.accept(transport, observer);
  }

  /** A client of a follower, which has it in its own list. */
  private serveCarried(protocol: 'tcp' | 'websocket', socket: Socket): void {
    if (protocol === 'tcp') return this.broker?.accept(socket, null);
    this.carried.add(socket);
    this.websocket?.accept(socket);
  }

  private pageSources(): PageSources {
    const { config, clients, broker, values } = this;
    return {
      identity: pageIdentity(config),
      logins: this.logins,
      clients,
      topics: broker?.topics ?? this.followerTopics ?? new TopicCounts(),
      countedFor: broker ? 'deployment' : 'node',
      maxPacketBytes: values['mqtt.max_packet_size'],
      keepAliveSeconds: Math.min(KEEP_ALIVE_SECONDS, values['mqtt.keepalive_limit'] || KEEP_ALIVE_SECONDS),
      ...(broker && { readRetained: () => broker.readRetained() }),
      enter: (origin) => {
        const [near, far] = linkedPair();
        this.serve(far, origin);
        return near;
      },
    };
  }

  /** The store failed under a running broker. To continue would acknowledge messages that cannot be stored. */
  private giveUp(error: Error): void {
    this.log.error('broker cannot continue', { reason: error.message });
    process.exit(1);
  }
}
