import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { limitsOfGate } from '@libs/domain/admission';
import type { ClientCredentials } from '../../../control/broker-runtime.js';
import { HTTP_PATIENCE_MS } from '../../../gate/accepted-sockets.js';
import { ipv4Of } from '../../../gate/access-rules.js';
import { BrokerConnections } from '../../../gate/broker-connections.js';
import type { ClientListeners } from '../../../gate/client-listeners.js';
import type { Gate } from '../../../gate/gate.js';
import type { GateConfig } from '../../../gate/gate-config.js';
import type { ClientLogins } from '../../../gate/logins/client-logins.js';
import { LoginRefusals } from '../../../gate/logins/login-refusals.js';
import { PublishRate } from '../../../gate/rate/publish-rate.js';
import { pageIdentity } from '../../../gate/ui/page-sources.js';
import { visitorOf } from '../../../gate/visitor.js';
import { Traffic } from '../../../gate/traffic.js';
import type { IggyUpstream } from './iggy-upstream.js';
import { FrameConnection, type FrameService } from './frame-connection.js';
import { HttpListener } from './http-listener.js';
import { NodePorts } from './node-ports.js';
import { ServerAgent } from './server-agent.js';
import { WebSocketListener } from './websocket-listener.js';

/** Time limit for the first byte of a client. */
const PATIENCE_MS = 30_000;

/** The ports of a node with iggy: the binary protocol over TCP and WebSocket, and HTTP. */
export class IggyListeners implements ClientListeners {
  readonly refusals = new LoginRefusals();
  private readonly traffic = new Traffic();
  private readonly service: FrameService;
  private readonly tcp: BrokerConnections;
  private readonly http: HttpListener;
  private readonly websocket: WebSocketListener;
  private readonly node: NodePorts;
  private gate: Gate | null = null;
  readonly signInMs = PATIENCE_MS;

  constructor(
    private readonly config: GateConfig,
    private readonly upstream: IggyUpstream,
    private readonly logins: ClientLogins,
  ) {
    const accountOf = (password: string) => upstream.accountOf(password);
    const mayStore = () => upstream.disk.isOpen;
    const rate = config.rate_limit ? new PublishRate(config.rate_limit.bytes_per_second) : null;
    this.service = { logins, refusals: this.refusals, accountOf, traffic: this.traffic, rate, mayStore };
    // Clients have a connection to the server before they sign in, and may not take those of signed-in clients.
    const { places } = limitsOfGate(config.max_connections, PATIENCE_MS);
    this.tcp = new BrokerConnections(() => upstream.find('tcp'), places);
    this.http = new HttpListener({
      ...{ logins, refusals: this.refusals, accountOf, rate, mayStore },
      isUser: (id) => upstream.isUser(id),
      writes: upstream.writes,
      page: async () => {
        const { loadIggyPage } = await import('./ui/iggy-views.js');
        const node = { identity: pageIdentity(config), logins, refusals: this.refusals };
        return loadIggyPage(node, () => upstream.ofClients(), mayStore);
      },
      agent: new ServerAgent(new BrokerConnections(() => upstream.find('http'), places)),
    });
    this.node = new NodePorts({
      tcp: new BrokerConnections(() => upstream.findForNode('tcp'), config.max_connections),
      http: new BrokerConnections(() => upstream.findForNode('http'), config.max_connections),
    });
    upstream.disk.onFull = () => this.node.cut();
    const websockets = new BrokerConnections(() => upstream.find('websocket'), places);
    this.websocket = new WebSocketListener(websockets, (client, server, socket) => this.join(client, server, socket));
  }

  get nodePorts(): Record<string, number> {
    return this.node.ports;
  }

  async open(gate: Gate): Promise<void> {
    this.gate = gate;
    this.http.admission = gate.admission;
    await this.node.open();
    const { address, ports } = this.config.listen;
    if (ports.http !== null) {
      const place = { address, port: ports.http, patienceMs: HTTP_PATIENCE_MS };
      await gate.open('http', place, (socket) => this.http.accept(socket));
    }
    if (ports.websocket !== null) {
      const place = { address, port: ports.websocket, patienceMs: PATIENCE_MS };
      await gate.open('websocket', place, (socket) => this.websocket.accept(socket));
    }
    if (ports.tcp !== null) {
      const place = { address, port: ports.tcp, patienceMs: PATIENCE_MS };
      await gate.open('tcp', place, (socket) => this.acceptTcp(socket));
    }
  }

  async setCredentials(credentials: ClientCredentials, serverOffsetMs: number): Promise<void> {
    this.logins.set(credentials, serverOffsetMs);
    await this.upstream.applyLogins();
  }

  enter(socket: Socket): void {
    this.acceptTcp(socket);
  }

  counts(): Record<string, number> {
    const http = this.http.traffic;
    return {
      bytes_received: this.traffic.bytesReceived + http.received,
      bytes_sent: this.traffic.bytesSent + http.sent,
    };
  }

  close(): void {
    this.upstream.disk.close();
    this.http.close();
    this.websocket.close();
    this.node.close();
  }

  private acceptTcp(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    this.tcp.open().then(
      (server) => this.join(socket, server, socket),
      () => socket.destroy(),
    );
  }

  private join(client: Duplex, server: Duplex, socket: Socket): void {
    if (client.destroyed) return void server.destroy();
    const visitor = this.gate && visitorOf(this.gate.admission, socket);
    new FrameConnection(client, server, ipv4Of(socket.remoteAddress), this.service, visitor);
    client.resume();
  }
}
