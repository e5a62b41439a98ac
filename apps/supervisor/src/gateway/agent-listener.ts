import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { RegisterRequest } from '@libs/domain';
import { AgentRegistry, type Agent } from './agent-registry.js';
import { LIMITS_OF_GATEWAY, type GatewayLimits } from './gateway-limits.js';
import { NodeRates } from './node-rates.js';
import { Refused, tooFast } from './refused.js';
import { UnknownConnections } from './stranger-connections.js';

/** The kinds of requests of a node, for its rate limits. */
export type Errand = 'status' | 'logs' | 'reads';

/** Admits agents by their credential, within the rate of each kind of request. */
@Injectable()
export class AgentListener {
  readonly outsiders: UnknownConnections;
  private readonly rates: Record<Errand, NodeRates>;

  constructor(
    private readonly registry: AgentRegistry,
    @Inject(LIMITS_OF_GATEWAY) limits: GatewayLimits,
  ) {
    this.outsiders = new UnknownConnections(limits);
    const { status, logs, reads } = limits;
    this.rates = { status: new NodeRates(status), logs: new NodeRates(logs), reads: new NodeRates(reads) };
  }

  /**
   * Returns the agent of a request. Throws Refused before it reads any part of the body, so that refusing a node that
   * exceeds its rate is cheap.
   */
  async enter(request: IncomingMessage, errand: Errand): Promise<Agent> {
    const agent = await this.registry.authenticate(request.headers.authorization);
    if (!agent) throw new Refused(401, 'unauthenticated');
    this.outsiders.know(request.socket);
    if (!this.rates[errand].admits(agent.nodeId)) throw tooFast();
    return agent;
  }

  /** Stores the credential of a new agent. Throws Refused. */
  async register(request: IncomingMessage, body: Omit<RegisterRequest, 'boot_id'>): Promise<Agent> {
    const { node_id, token, credential_hash, agent_version } = body;
    const agent = await this.registry.register(node_id, token, Buffer.from(credential_hash, 'hex'), agent_version);
    if (!agent) throw new Refused(401, 'unauthenticated');
    this.outsiders.know(request.socket);
    return agent;
  }
}
