import { STATUS_RATE } from '@libs/domain';
import type { NodeRate } from './node-rates.js';

/** What the gateway grants to each connection and node. */
export interface GatewayLimits {
  /** A request (headers, then a message) must be here in so long; streams of objects may take longer. */
  requestMs: number;
  /** A connection on which nothing moves for so long is given up. */
  idleMs: number;
  /** Connections that have not shown a credential yet: in all, and from one address. */
  outsiders: number;
  outsidersOfAnAddress: number;
  status: NodeRate;
  /** Batches of log lines. */
  logs: NodeRate;
  /** Requests for documents and objects. */
  reads: NodeRate;
}

export const GATEWAY_LIMITS: GatewayLimits = {
  requestMs: 30_000,
  idleMs: 60_000,
  outsiders: 2_000,
  // Agents behind one address that start at once show their credentials within moments.
  outsidersOfAnAddress: 200,
  status: STATUS_RATE,
  logs: { aSecond: 2, atOnce: 1 },
  reads: { aSecond: 10, atOnce: 40 },
};

/** Token of the limits. */
export const LIMITS_OF_GATEWAY = Symbol('gateway.limits');
