import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { clientAddress, networkOf, type ConnectionAdmission } from '@libs/domain/admission';
import { Metrics, observedAdmission } from '@libs/http';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { LIMITS_OF_GATEWAY, type GatewayLimits } from './gateway-limits.js';
import { NodeRates } from './node-rates.js';
import { Refused, tooFast } from './refused.js';

/** The callers of the gateway before and after they sign in: their connections, their networks, and the time for their requests. */
@Injectable()
export class GatewayVisitors {
  readonly connections: ConnectionAdmission;
  private readonly lookups: NodeRates<string>;
  private readonly deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

  constructor(
    @Inject(LIMITS_OF_GATEWAY) private readonly limits: GatewayLimits,
    @Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig,
    metrics: Metrics,
  ) {
    this.connections = observedAdmission('gateway', limits.connections, metrics);
    this.lookups = new NodeRates(limits.lookups);
  }

  /** The network of the client, also behind a proxy. */
  networkOf(request: IncomingMessage): string {
    return networkOf(clientAddress(request, this.config.TRUSTED_PROXIES) ?? '');
  }

  /**
   * Looks up a credential that is not in memory. Networks have a rate of credentials that do not exist, so that a flood of them costs no
   * queries. Throws Refused above the rate.
   */
  async lookUp<T>(request: IncomingMessage, find: () => Promise<T | null>): Promise<T | null> {
    if (this.connections.isKnown(request.socket)) return find();
    const network = this.networkOf(request);
    const seconds = this.lookups.take(network, 1);
    if (seconds > 0) throw tooFast(seconds);
    const result = await find();
    if (result !== null) this.lookups.giveBack(network, 1);
    return result;
  }

  /** The caller has signed in and is within its rate. `caller`: such as `node 5`. */
  know(request: IncomingMessage, caller: string): void {
    this.connections.know(request.socket, caller);
  }

  isKnown(request: IncomingMessage): boolean {
    return this.connections.isKnown(request.socket);
  }

  /** Closes the connection of a request that is not complete in time. */
  limitTime(request: IncomingMessage): void {
    const timer = setTimeout(() => {
      if (!request.complete) request.destroy();
    }, this.limits.requestMs);
    this.deadlines.set(request, timer);
    request.once('close', () => clearTimeout(timer));
  }

  /** Objects are streamed as long as data moves, but only by a node that has signed in. */
  liftTime(request: IncomingMessage): void {
    clearTimeout(this.deadlines.get(request));
  }
}

/** The credential is of nobody. */
export const unauthenticated = (): Refused => new Refused(401, 'unauthenticated');
