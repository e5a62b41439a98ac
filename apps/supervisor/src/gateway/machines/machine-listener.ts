import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { MachineId } from '@libs/domain';
import { LIMITS_OF_GATEWAY, type GatewayLimits } from '../gateway-limits.js';
import { GatewayVisitors, unauthenticated } from '../gateway-visitors.js';
import { NodeRates } from '../node-rates.js';
import { machineRemoved, tooFast } from '../refused.js';
import { MachineRegistry } from './machine-registry.js';

/** Admits machines by their credential, and hosts without one by their network, within the rate of each kind of request. */
@Injectable()
export class MachineListener {
  private readonly rates: Record<'status' | 'reads', NodeRates<MachineId>>;
  private readonly joins: NodeRates<string>;

  constructor(
    private readonly registry: MachineRegistry,
    private readonly visitors: GatewayVisitors,
    @Inject(LIMITS_OF_GATEWAY) { status, reads, joins }: GatewayLimits,
  ) {
    this.rates = { status: new NodeRates(status), reads: new NodeRates(reads) };
    this.joins = new NodeRates(joins);
  }

  /** Returns the machine of a request. Throws Refused before it reads any part of the body. */
  async enter(request: IncomingMessage, errand: 'status' | 'reads'): Promise<MachineId> {
    const machine =
      this.registry.remembered(request.headers.authorization) ??
      (await this.visitors.lookUp(request, () => this.find(request.headers.authorization)));
    if (machine === null) throw unauthenticated();
    if (!this.rates[errand].admits(machine)) throw tooFast();
    this.visitors.know(request, `machine ${machine}`);
    return machine;
  }

  /** Admits a machine, or a host that can join now. Throws Refused. */
  async enterAsReader(request: IncomingMessage): Promise<void> {
    this.admitOutsider(request);
    const { authorization } = request.headers;
    const reader = await this.visitors.lookUp(request, async () => {
      const token = await this.registry.expected(authorization);
      if (token !== null) return `join ${token}`;
      const machine = await this.registry.authenticate(authorization);
      return machine && `machine ${machine}`;
    });
    if (reader === null) throw unauthenticated();
    this.visitors.know(request, reader);
  }

  /** Counts a request without a credential. Throws Refused before it reads anything, so that a flood costs no query. */
  admitOutsider(request: IncomingMessage): void {
    const seconds = this.joins.take(this.visitors.networkOf(request), 1);
    if (seconds > 0) throw tooFast(seconds);
  }

  /** Throws Refused for a machine that an operator has removed. */
  private async find(authorization: string | undefined): Promise<MachineId | null> {
    const machine = await this.registry.authenticate(authorization);
    if (machine === null && (await this.registry.isRemoved(authorization))) throw machineRemoved();
    return machine;
  }
}
