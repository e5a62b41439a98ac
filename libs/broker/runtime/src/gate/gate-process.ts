import type { Socket } from 'node:net';
import { ControlServer, type Controlled } from '../control/control-server.js';
import type { JsonLog } from '../json-log.js';
import { ClientList, NODE_ORIGIN, originOf } from './clients/client-list.js';
import { TopicCounts } from './clients/topic-counts.js';
import { Forwarder } from './forwarder.js';
import { Gate, type GuardedPort } from './gate.js';
import type { GateConfig } from './gate-config.js';
import { gateHash, type GateSettings } from './gate-settings.js';
import type { GateUpstream } from './gate-upstream.js';
import { HTTP_PATIENCE_MS } from './accepted-sockets.js';
import { HttpEndpoint } from './http-endpoint.js';
import { ClientLogins } from './logins/client-logins.js';
import { PublishRate } from './rate/publish-rate.js';
import { Traffic } from './traffic.js';
import { linkedPair } from './ui/linked-pair.js';
import { KEEP_ALIVE_SECONDS, pageIdentity, type PageSources } from './ui/page-sources.js';
import type { WebSocketEndpoint } from './websocket-endpoint.js';

/** Sockets above `max_connections` that the gate accepts, for HTTP and for clients that the broker will refuse. */
const SPARE_SOCKETS = 64;
const CONNECT_TIMEOUT_SECONDS = 30;

/**
 * The gate as a separate process in front of an external broker. It owns the node's public ports, so the death of the agent,
 * which started it, cuts no connection. It also reports the status of the broker to the agent.
 */
export class GateProcess implements Controlled {
  private readonly gate: Gate;
  private readonly control: ControlServer;
  private readonly traffic = new Traffic();
  private readonly topics = new TopicCounts();
  private readonly clients = new ClientList(this.topics);
  private readonly forwarder: Forwarder;
  private readonly logins: ClientLogins;
  private websocket: WebSocketEndpoint | null = null;
  private http: HttpEndpoint | null = null;
  private gateSettings: GateSettings;
  private isListening = false;

  constructor(
    private readonly config: GateConfig,
    private readonly upstream: GateUpstream,
    private readonly log: JsonLog,
  ) {
    this.gate = new Gate(config.max_connections + SPARE_SOCKETS);
    this.gateSettings = config.gate;
    this.logins = new ClientLogins(config.gate.credentials);
    this.forwarder = new Forwarder(
      upstream,
      config.max_connections,
      config.max_packet_bytes,
      config.hidden_topics,
      this.traffic,
      this.clients,
      config.rate_limit ? new PublishRate(config.rate_limit.bytes_per_second) : null,
      config.broker_account ? { logins: this.logins, account: config.broker_account } : null,
    );
    const home = { dir: config.dir, installation: config.installation, nodeId: config.node_id };
    this.control = new ControlServer(home, 'gate', this);
  }

  /** Takes the lock, then opens the ports. If it rejects with BrokerError, the process must end. */
  async start(): Promise<void> {
    await this.control.claim();
    this.setGate(this.config.gate);
    await this.openPorts();
    this.isListening = true;
    this.log.info('gate is listening');
  }

  async ping(): Promise<Record<string, unknown>> {
    return {
      node: this.config.node_id,
      pid: process.pid,
      config_hash: this.config.config_hash,
      gate_hash: gateHash(this.gateSettings),
      server_offset_ms: this.gateSettings.server_offset_ms,
      listening: this.isListening,
      refused_logins: this.clients.refusals.recent(),
      broker: await this.upstream.report(),
    };
  }

  async stats(): Promise<Record<string, number>> {
    const cpu = process.cpuUsage();
    const { memory_bytes: brokerMemory = 0, cpu_seconds: brokerCpu = 0, ...rest } = await this.upstream.stats();
    return {
      ...rest,
      messages_received: this.traffic.messagesReceived,
      messages_sent: this.traffic.messagesSent,
      bytes_received: this.traffic.bytesReceived,
      bytes_sent: this.traffic.bytesSent,
      gate_clients: this.gate.clients,
      gate_denied: this.gate.denied,
      refused_logins: this.clients.refusals.total,
      memory_bytes: brokerMemory + process.memoryUsage.rss(),
      cpu_seconds: brokerCpu + (cpu.user + cpu.system) / 1e6,
    };
  }

  setGate(settings: GateSettings): void {
    this.gate.setRules(settings.rules, settings.server_offset_ms);
    this.gate.setCertificate(settings.certs ?? null);
    this.logins.set(settings.credentials, settings.server_offset_ms);
    this.gateSettings = settings;
  }

  enter(socket: Socket): void {
    this.forwarder.accept(socket, NODE_ORIGIN);
  }

  /** The gate has no durable data, so the stop does not wait. */
  stop(): void {
    this.gate.close();
    this.websocket?.close();
    this.http?.close();
    this.gate.cutAll();
    this.log.info('gate stopped');
    // Exits after the answer to the caller.
    setImmediate(() => process.exit(0));
  }

  private async openPorts(): Promise<void> {
    const { address, ports } = this.config.listen;
    const http = new HttpEndpoint(this.pageSources(), () => this.stats());
    this.http = http;
    const patienceMs = (this.config.connect_timeout ?? CONNECT_TIMEOUT_SECONDS) * 1000;
    if (ports.http !== null) {
      const listener = { address, port: ports.http, patienceMs: HTTP_PATIENCE_MS };
      await this.gate.open('http', listener, (socket) => http.accept(socket));
    }
    if (ports.websocket !== null) await this.openWebSocket({ address, port: ports.websocket, patienceMs });
    if (ports.tcp !== null) {
      await this.gate.open('tcp', { address, port: ports.tcp, patienceMs }, (socket) =>
        this.forwarder.accept(socket, originOf('tcp', socket)),
      );
    }
  }

  private pageSources(): PageSources {
    const { config, clients, topics, logins } = this;
    return {
      identity: pageIdentity(config),
      logins,
      ...{ clients, topics, countedFor: 'node', maxPacketBytes: config.max_packet_bytes },
      keepAliveSeconds: KEEP_ALIVE_SECONDS,
      enter: (origin) => {
        const [near, far] = linkedPair();
        this.forwarder.accept(far, origin);
        return near;
      },
    };
  }

  private async openWebSocket(place: GuardedPort): Promise<void> {
    // Loaded only when the node offers WebSocket, to save memory.
    const { WebSocketEndpoint } = await import('./websocket-endpoint.js');
    const endpoint = new WebSocketEndpoint(this.config.max_packet_bytes, (stream, socket) =>
      this.forwarder.accept(stream, originOf('websocket', socket)),
    );
    this.websocket = endpoint;
    await this.gate.open('websocket', place, (socket: Socket) => endpoint.accept(socket));
  }
}
