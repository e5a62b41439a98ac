import { STATUS_RATE } from '@libs/domain';
import { limitsOf, type ConnectionLimits } from '@libs/domain/admission';
import { configuredLimits, ofGateway } from '@libs/domain/connection-settings';
import type { SupervisorConfig } from '../config.js';
import type { NodeRate } from './node-rates.js';

const MIB = 1024 * 1024;

/** The limits of the gateway for each connection and node. */
export interface GatewayLimits {
  connections: ConnectionLimits;
  /** Maximum time of a request (headers, then a message). Streams of objects may take longer once their node has signed in. */
  requestMs: number;
  /** A connection without traffic for this time is closed. */
  idleMs: number;
  status: NodeRate;
  /** Batches of log lines. */
  logs: NodeRate;
  /** Requests for documents and objects. */
  reads: NodeRate;
  /** Requests of one network with which hosts become machines. */
  joins: NodeRate;
  /** Requests of one network whose credential the database must look up, and does not find. */
  lookups: NodeRate;
  /** Bytes of artifacts. */
  artifactBytes: NodeRate;
  /** Maximum transfers of artifacts at once with one credential. */
  artifactsAtOnce: number;
}

export const GATEWAY_LIMITS: GatewayLimits = {
  connections: limitsOf('gateway', { hasTls: false }),
  requestMs: 30_000,
  idleMs: 60_000,
  status: STATUS_RATE,
  logs: { aSecond: 2, atOnce: 1 },
  reads: { aSecond: 10, atOnce: 40 },
  // 200 hosts behind one address that join at once, with three requests each.
  joins: { aSecond: 10, atOnce: 600 },
  lookups: { aSecond: 20, atOnce: 600 },
  // A minute is enough for everything that a new node needs: Node.js, a broker, the agent and all plugins.
  artifactBytes: { aSecond: (512 * MIB) / 60, atOnce: 512 * MIB },
  artifactsAtOnce: 4,
};

/** Injection token of the limits. */
export const LIMITS_OF_GATEWAY = Symbol('gateway.limits');

/** The limits of this installation. */
export const configuredGatewayLimits = (config: SupervisorConfig): GatewayLimits => ({
  ...GATEWAY_LIMITS,
  connections: configuredLimits('gateway', { ...ofGateway(config), hasTls: config.TLS_CERT !== undefined }),
});
