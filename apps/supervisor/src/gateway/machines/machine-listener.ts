import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { MachineId } from '@libs/domain';
import { AgentListener } from '../agent-listener.js';
import { LIMITS_OF_GATEWAY, type GatewayLimits } from '../gateway-limits.js';
import { NodeRates } from '../node-rates.js';
import { machineRemoved, Refused, tooFast } from '../refused.js';
import { MachineRegistry } from './machine-registry.js';

/** Admits machines by their credential, and hosts without one by their address, within the rate of each kind of request. */
@Injectable()
export class MachineListener {
  private readonly rates: Record<'status' | 'reads', NodeRates<MachineId>>;
  private readonly joins: NodeRates<string>;

  constructor(
    private readonly registry: MachineRegistry,
    private readonly agents: AgentListener,
    @Inject(LIMITS_OF_GATEWAY) { status, reads, joins }: GatewayLimits,
  ) {
    this.rates = { status: new NodeRates(status), reads: new NodeRates(reads) };
    this.joins = new NodeRates(joins);
  }

  /** Returns the machine of a request. Throws Refused before it reads any part of the body. */
  async enter(request: IncomingMessage, errand: 'status' | 'reads'): Promise<MachineId> {
    const { authorization } = request.headers;
    const machine = await this.registry.authenticate(authorization);
    if (machine === null)
      throw (await this.registry.isRemoved(authorization)) ? machineRemoved() : new Refused(401, 'unauthenticated');
    this.agents.outsiders.know(request.socket);
    if (!this.rates[errand].admits(machine)) throw tooFast();
    return machine;
  }

  /** Admits a machine, or a host that can join now. Throws Refused. */
  async enterAsReader(request: IncomingMessage): Promise<void> {
    this.admitOutsider(request);
    const { authorization } = request.headers;
    const reader = (await this.registry.expected(authorization)) ?? (await this.registry.authenticate(authorization));
    if (reader === null) throw new Refused(401, 'unauthenticated');
    this.agents.outsiders.know(request.socket);
  }

  /** Counts a request without a credential. Throws Refused before it reads anything, so that a flood costs no query. */
  admitOutsider(request: IncomingMessage): void {
    const seconds = this.joins.take(request.socket.remoteAddress ?? '', 1);
    if (seconds > 0) throw tooFast(seconds);
  }
}
