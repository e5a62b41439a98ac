import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { admitConnections, BACKLOG } from '@libs/domain/admission';
import { readTls } from '@libs/domain/settings';
import { listenFailed } from '@libs/domain/starts';
import { gatewayListener, isLoopback, SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { LIMITS_OF_GATEWAY, type GatewayLimits } from './gateway-limits.js';
import { GatewayRoutes } from './gateway-routes.js';
import { GatewayVisitors } from './gateway-visitors.js';

/** A gateway that uses plain HTTP outside loopback. Refused at the start. */
class GatewayExposed extends Error {}

/** Time limit for the head of a request. */
const HEADERS_MS = 15_000;

/** The listener for agents, with node:http only. Plain HTTP only on loopback. */
@Injectable()
export class GatewayServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Gateway');
  private readonly server: Server;

  constructor(
    routes: GatewayRoutes,
    private readonly visitors: GatewayVisitors,
    @Inject(LIMITS_OF_GATEWAY) { requestMs, idleMs }: GatewayLimits,
    @Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig,
  ) {
    const tls = readTls(config);
    // Node's own limit for a whole request would interrupt archives, which have no time limit. The routes limit all other
    // requests.
    const limits = {
      headersTimeout: Math.min(requestMs, HEADERS_MS),
      requestTimeout: 0,
      connectionsCheckingInterval: requestMs / 6,
    };
    const serve = (request: IncomingMessage, response: ServerResponse): void => {
      void routes.serve(request, response);
    };
    this.server = tls
      ? createTlsServer({ ...tls, ...limits, handshakeTimeout: requestMs }, serve)
      : createServer(limits, serve);
    this.server.keepAliveTimeout = idleMs + 5_000;
    this.server.timeout = idleMs;
    admitConnections(this.server, visitors.connections, config.TRUSTED_PROXIES);
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
      this.visitors.connections.stop();
    });
  }
}
