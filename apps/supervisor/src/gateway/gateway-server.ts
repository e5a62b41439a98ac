import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { readTls } from '@libs/domain/settings';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { GatewayRoutes } from './gateway-routes.js';

/** A connection on which nothing moves for so long is given up. */
const IDLE_MS = 60_000;
const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];

/** A gateway that others could overhear; refused at boot. */
class GatewayExposed extends Error {}

/** The listener of the agents, on bare node:http. Plain HTTP on loopback only. */
@Injectable()
export class GatewayServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Gateway');
  private readonly server: Server;

  constructor(
    routes: GatewayRoutes,
    @Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig,
  ) {
    const tls = readTls(config);
    const serve = (request: IncomingMessage, response: ServerResponse): void => void routes.serve(request, response);
    this.server = tls ? createTlsServer(tls, serve) : createServer(serve);
    this.server.keepAliveTimeout = 65_000;
    // An archive may take long; that something moves is watched for instead.
    this.server.requestTimeout = 0;
    this.server.timeout = IDLE_MS;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { GATEWAY_HOST: host, GATEWAY_PORT: port, TLS_CERT } = this.config;
    if (TLS_CERT === undefined && !LOOPBACK.includes(host))
      throw new GatewayExposed(`GATEWAY_HOST is ${host}; plain HTTP is for loopback only`);
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => resolve());
    });
    this.logger.log({ host, port }, 'gateway listens');
  }

  async onApplicationShutdown(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }
}
