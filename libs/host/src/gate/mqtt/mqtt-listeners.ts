import type { Socket } from 'node:net';
import type { ClientCredentials } from '../../control/broker-runtime.js';
import { HTTP_PATIENCE_MS } from '../accepted-sockets.js';
import type { ClientListeners } from '../client-listeners.js';
import { ClientList, NODE_ORIGIN, originOf } from '../clients/client-list.js';
import type { ClientNotices } from '../clients/client-notices.js';
import { refusedByNats } from '../clients/refused-packets.js';
import { TopicCounts } from '../clients/topic-counts.js';
import { Forwarder } from './forwarder.js';
import type { Gate, GuardedPort } from '../gate.js';
import type { MqttGateConfig } from '../gate-config.js';
import type { GateUpstream } from '../gate-upstream.js';
import { HttpEndpoint } from '../http-endpoint.js';
import { ClientLogins } from '../logins/client-logins.js';
import type { LoginRefusals } from '../logins/login-refusals.js';
import { PublishRate } from '../rate/publish-rate.js';
import { Traffic } from '../traffic.js';
import { visitorOf } from '../visitor.js';
import { linkedPair } from '../ui/linked-pair.js';
import { KEEP_ALIVE_SECONDS, pageIdentity, type PageSources } from '../ui/page-sources.js';
import type { WebSocketEndpoint } from './websocket-endpoint.js';

/** Time limit for the first byte of a client where the configuration file of an earlier release has none. */
export const CONNECT_TIMEOUT_SECONDS = 30;

/** The ports of a broker that speaks MQTT: TCP, WebSocket, and HTTP with the page for browsers. */
export class MqttListeners implements ClientListeners {
  readonly signInMs: number;
  private readonly traffic = new Traffic();
  private readonly topics = new TopicCounts();
  private readonly clients: ClientList;
  private readonly forwarder: Forwarder;
  private readonly logins: ClientLogins;
  private websocket: WebSocketEndpoint | null = null;
  private http: HttpEndpoint | null = null;

  constructor(
    private readonly config: MqttGateConfig,
    upstream: GateUpstream,
    private readonly notices: ClientNotices,
  ) {
    this.signInMs = (config.connect_timeout ?? CONNECT_TIMEOUT_SECONDS) * 1000;
    this.clients = new ClientList(this.topics, { refusalOf: refusedByNats, notices });
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
      notices,
    );
  }

  get refusals(): LoginRefusals {
    return this.clients.refusals;
  }

  async open(gate: Gate, stats: () => Promise<Record<string, number>>): Promise<void> {
    const { address, ports } = this.config.listen;
    const http = new HttpEndpoint(this.pageSources(), stats, gate.admission);
    this.http = http;
    const patienceMs = this.signInMs;
    if (ports.http !== null) {
      const listener = { address, port: ports.http, patienceMs: HTTP_PATIENCE_MS };
      await gate.open('http', listener, (socket) => http.accept(socket));
    }
    if (ports.websocket !== null) await this.openWebSocket(gate, { address, port: ports.websocket, patienceMs });
    if (ports.tcp !== null) {
      await gate.open('tcp', { address, port: ports.tcp, patienceMs }, (socket) =>
        this.forwarder.accept(socket, originOf('tcp', socket), visitorOf(gate.admission, socket)),
      );
    }
  }

  async setCredentials(credentials: ClientCredentials, serverOffsetMs: number): Promise<void> {
    this.logins.set(credentials, serverOffsetMs);
  }

  enter(socket: Socket): void {
    this.forwarder.accept(socket, NODE_ORIGIN);
  }

  counts(): Record<string, number> {
    const { messagesReceived, messagesSent, bytesReceived, bytesSent } = this.traffic;
    return {
      messages_received: messagesReceived,
      messages_sent: messagesSent,
      bytes_received: bytesReceived,
      bytes_sent: bytesSent,
      topics: this.topics.size,
      refused_packets: this.notices.packets,
    };
  }

  close(): void {
    this.websocket?.close();
    this.http?.close();
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

  private async openWebSocket(gate: Gate, place: GuardedPort): Promise<void> {
    // Loaded only when the node offers WebSocket, to save memory.
    const { WebSocketEndpoint } = await import('./websocket-endpoint.js');
    const endpoint = new WebSocketEndpoint(this.config.max_packet_bytes, (stream, socket) =>
      this.forwarder.accept(stream, originOf('websocket', socket), visitorOf(gate.admission, socket)),
    );
    this.websocket = endpoint;
    await gate.open('websocket', place, (socket: Socket) => endpoint.accept(socket));
  }
}
