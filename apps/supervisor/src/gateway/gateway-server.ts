import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { AGENT_PATHS } from '@libs/domain';
import { readTls } from '@libs/domain/settings';
import { listenFailed } from '@libs/domain/starts';
import { gatewayListener, isLoopback, SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { AgentListener } from './agent-listener.js';
import { LIMITS_OF_GATEWAY, type GatewayLimits } from './gateway-limits.js';
import { GatewayRoutes } from './gateway-routes.js';

/** A gateway that uses plain HTTP outside loopback. Refused at the start. */
class GatewayExposed extends Error {}

/**
 * Connections that the kernel keeps until Node takes them; the kernel has a maximum of its own. With the 511 of Node, the kernel drops
 * most connections of agents that all come back at once, and they try again after up to half a minute.
 */
const BACKLOG = 16_384;

/** The listener for agents, with node:http only. Plain HTTP only on loopback. */
@Injectable()
export class GatewayServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Gateway');
  private readonly server: Server;

  constructor(
    routes: GatewayRoutes,
    private readonly agents: AgentListener,
    @Inject(LIMITS_OF_GATEWAY) { requestMs, idleMs, connections }: GatewayLimits,
    @Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig,
  ) {
    const tls = readTls(config);
    // Node's own limit for a whole request would interrupt archives, which have no time limit. `cutWhenLate` excludes
    // them.
    const limits = { headersTimeout: requestMs, requestTimeout: 0, connectionsCheckingInterval: requestMs / 6 };
    const serve = (request: IncomingMessage, response: ServerResponse): void => {
      if (!isStream(request)) cutWhenLate(request, requestMs);
      void routes.serve(request, response);
    };
    this.server = tls
      ? createTlsServer({ ...tls, ...limits, handshakeTimeout: requestMs }, serve)
      : createServer(limits, serve);
    this.server.keepAliveTimeout = idleMs + 5_000;
    this.server.timeout = idleMs;
    // Without this limit, connections of agents can use all open files, and a new connection to PostgreSQL fails.
    this.server.maxConnections = connections;
    this.admitFirst();
  }

  /** Node serves a connection, with the handshake of TLS, only when the connection is admitted. Before, nothing is read from it. */
  private admitFirst(): void {
    const {
      server,
      agents: { outsiders },
    } = this;
    const served = server.listeners('connection') as ((socket: Socket) => void)[];
    server.removeAllListeners('connection');
    // An option of node:net that node:http does not pass on.
    Object.assign(server, { pauseOnConnect: true });
    server.on('connection', (socket: Socket) =>
      outsiders.admit(socket, () => {
        for (const serve of served) serve.call(server, socket);
        socket.resume();
      }),
    );
  }

  /** The port of the gateway; 0 before it listens. */
  get port(): number {
    return (this.server.address() as AddressInfo | null)?.port ?? 0;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { GATEWAY_HOST: host, GATEWAY_PORT: port, TLS_CERT } = this.config;
    if (TLS_CERT === undefined && !isLoopback(host))
      throw new GatewayExposed(`GATEWAY_HOST is ${host}; plain HTTP is for loopback only`);
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen({ port, host, backlog: BACKLOG }, () => resolve());
    }).catch((error: unknown) => listenFailed(gatewayListener(this.config), error));
    this.logger.log({ host, port }, 'gateway listens');
  }

  async onApplicationShutdown(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
      this.agents.outsiders.end();
    });
  }
}

/** Objects are streamed as long as data moves. */
const isStream = ({ url = '' }: IncomingMessage): boolean => url.startsWith(AGENT_PATHS.objects);

/** Closes a connection whose request is not complete in time. */
function cutWhenLate(request: IncomingMessage, ms: number): void {
  const timer = setTimeout(() => {
    if (!request.complete) request.destroy();
  }, ms);
  request.once('close', () => clearTimeout(timer));
}
