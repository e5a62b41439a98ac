import { readFileSync } from 'node:fs';
import { STATUS_RATE } from '@libs/domain';
import type { NodeRate } from './node-rates.js';
import type { OutsiderLimits } from './stranger-connections.js';

const MIB = 1024 * 1024;

/** The limits of the gateway for each connection and node. */
export interface GatewayLimits extends OutsiderLimits {
  /** Maximum connections of all kinds. */
  connections: number;
  /** Maximum time of a request (headers, then a message). Streams of objects may take longer. */
  requestMs: number;
  /** A connection without traffic for this time is closed. */
  idleMs: number;
  status: NodeRate;
  /** Batches of log lines. */
  logs: NodeRate;
  /** Requests for documents and objects. */
  reads: NodeRate;
  /** Requests of one address with which hosts become machines. */
  joins: NodeRate;
  /** Bytes of artifacts. */
  artifactBytes: NodeRate;
  /** Maximum transfers of artifacts at once with one credential. */
  artifactsAtOnce: number;
}

/** Open files of the process that connections of agents may not use: those of PostgreSQL, of the queue, of archives and logs. */
const OTHER_FILES = 500;

/** Node raises its limit of open files to the hard limit at its start. Outside Linux the limit is unknown. */
function connectionsOfProcess(): number {
  try {
    const [, files] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return files === undefined ? Infinity : Math.max(OTHER_FILES, Number(files) - OTHER_FILES);
  } catch {
    return Infinity;
  }
}

export const GATEWAY_LIMITS: GatewayLimits = {
  connections: connectionsOfProcess(),
  requestMs: 30_000,
  idleMs: 60_000,
  outsiders: 2_000,
  // Ten thousand agents come back with two connections each. A waiting connection has no state of TLS: 4 KiB.
  outsidersWaiting: 16_000,
  // Agents behind one address that start at once authenticate within moments.
  outsidersOfAnAddress: 200,
  status: STATUS_RATE,
  logs: { aSecond: 2, atOnce: 1 },
  reads: { aSecond: 10, atOnce: 40 },
  // 200 hosts behind one address that join at once, with three requests each.
  joins: { aSecond: 10, atOnce: 600 },
  // A minute is enough for everything that a new node needs: Node.js, a broker, the agent and all plugins.
  artifactBytes: { aSecond: (512 * MIB) / 60, atOnce: 512 * MIB },
  artifactsAtOnce: 4,
};

/** Injection token of the limits. */
export const LIMITS_OF_GATEWAY = Symbol('gateway.limits');
