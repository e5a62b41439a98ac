import { mkdir } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { Gate } from '../gate/gate.js';
import { gateHash, type GateSettings } from '../gate/gate-settings.js';
import { reasonOf, type JsonLog } from '../json-log.js';
import { frozenDirectory } from '../node-home.js';
import type { Carrier } from './carrier.js';
import type { CarryListener } from './carry-listener.js';
import { ControlServer, type Controlled } from '../control/control-server.js';
import type { EmbeddedBroker } from './embedded-broker.js';
import { EMBEDDED_VERSION, isLeader, type EmbeddedConfig } from './embedded-config.js';
import { embeddedValues, type EmbeddedValues } from '@libs/broker/schema';
import { HTTP_PATIENCE_MS, HttpEndpoint } from '../gate/http-endpoint.js';
import type { WebSocketEndpoint } from '../gate/websocket-endpoint.js';

/** Computed once. A new computation per answer would vary by a millisecond, and with every change of the clock. */
const STARTED_AT = new Date(Date.now() - process.uptime() * 1000).toISOString();

/** Sockets above `mqtt.max_connections` that the gate accepts, for HTTP and for clients that MQTT will refuse. */
const SPARE_SOCKETS = 64;
/** Limit for a graceful stop. After it the process ends. */
const STOP_DEADLINE_MS = 5_000;

/** One embedded broker process: gate, endpoints, and the broker itself or the connection to the leader. */
export class EmbeddedProcess implements Controlled {
  private readonly values: EmbeddedValues;
  private readonly gate: Gate;
  private readonly control: ControlServer;
  private broker: EmbeddedBroker | null = null;
  private websocket: WebSocketEndpoint | null = null;
  private peers: CarryListener | null = null;
  private carrier: Carrier | null = null;
  private gateSettings: GateSettings;
  private isListening = false;
  private stopping: Promise<void> | null = null;

  constructor(
    private readonly config: EmbeddedConfig,
    private readonly log: JsonLog,
  ) {
    this.values = embeddedValues(config.values);
    this.gate = new Gate(this.values['mqtt.max_connections'] + SPARE_SOCKETS);
    this.gateSettings = config.gate;
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
      ready: reason === null,
      reason,
    };
  }

  /** A follower reports no bytes, because its leader counts them, and the sum over all nodes is charged. */
  stats(): Record<string, number> {
    const cpu = process.cpuUsage();
    return {
      clients: this.gate.clients,
      ...this.broker?.stats(),
      gate_clients: this.gate.clients,
      gate_denied: this.gate.denied,
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

  setGate(config: GateSettings): void {
    this.gate.setRules(config.rules, config.server_offset_ms);
    this.gate.setCertificate(config.certs ?? null);
    this.gateSettings = config;
  }

  enter(socket: Socket): void {
    if (this.isListening) this.serve('tcp', socket);
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
    await this.broker?.stop();
    this.gate.cutAll();
    this.log.info('broker stopped');
  }

  private async startLeader(): Promise<void> {
    // Loaded only here, so that a follower's gate stays small.
    const { EmbeddedBroker } = await import('./embedded-broker.js');
    const { WebSocketEndpoint } = await import('../gate/websocket-endpoint.js');
    const broker = new EmbeddedBroker(this.config, this.values);
    await broker.start((error) => this.giveUp(error));
    this.broker = broker;
    this.websocket = new WebSocketEndpoint(this.values['mqtt.max_packet_size'], (stream) => broker.accept(stream));
    if (this.config.listen.peer === null) return;
    const { CarryListener } = await import('./carry-listener.js');
    this.peers = new CarryListener(this.config.cluster.secret, (protocol, socket) => this.serve(protocol, socket));
    await this.peers.listen(this.config.listen.address, this.config.listen.peer);
  }

  private async startFollower(): Promise<void> {
    const { Carrier } = await import('./carrier.js');
    const leader = this.config.cluster.leader ?? { host: '', port: 0 };
    this.carrier = new Carrier(leader, this.config.cluster.secret);
    this.carrier.start();
  }

  private async openPorts(): Promise<void> {
    const { address, ports } = this.config.listen;
    const http = new HttpEndpoint(this.config.credentials, () => this.stats());
    const patienceMs = this.values['mqtt.connect_timeout'] * 1000;
    if (ports.tcp !== null) {
      await this.gate.open('tcp', { address, port: ports.tcp, patienceMs }, (socket) => this.serve('tcp', socket));
    }
    if (ports.websocket !== null && this.values['websocket.enabled']) {
      const listener = { address, port: ports.websocket, patienceMs };
      await this.gate.open('websocket', listener, (socket) => this.serve('websocket', socket));
    }
    if (ports.http !== null && this.values['http.enabled']) {
      const listener = { address, port: ports.http, patienceMs: HTTP_PATIENCE_MS };
      await this.gate.open('http', listener, (socket) => http.accept(socket));
    }
  }

  private serve(protocol: 'tcp' | 'websocket', socket: Socket): void {
    if (this.carrier) return this.carrier.carry(protocol, socket);
    if (protocol === 'websocket') this.websocket?.accept(socket);
    else this.broker?.accept(socket);
  }

  /** The store failed under a running broker. To continue would acknowledge messages that cannot be stored. */
  private giveUp(error: Error): void {
    this.log.error('broker cannot continue', { reason: error.message });
    process.exit(1);
  }
}
