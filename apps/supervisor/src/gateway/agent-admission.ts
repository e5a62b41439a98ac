import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { RegisterRequest } from '@libs/domain';
import { AgentRegistry, type Agent } from './agent-registry.js';
import { LIMITS_OF_GATEWAY, type GatewayLimits } from './gateway-limits.js';
import { GatewayVisitors, unauthenticated } from './gateway-visitors.js';
import { NodeRates } from './node-rates.js';
import { tooFast } from './refused.js';

/** The kinds of requests of a node, for its rate limits. */
export type RequestKind = 'status' | 'logs' | 'reads';

/** Admits agents by their credential, within the rate of each kind of request. */
@Injectable()
export class AgentAdmission {
  private readonly rates: Record<RequestKind, NodeRates>;

  constructor(
    private readonly registry: AgentRegistry,
    private readonly visitors: GatewayVisitors,
    @Inject(LIMITS_OF_GATEWAY) { status, logs, reads }: GatewayLimits,
  ) {
    this.rates = { status: new NodeRates(status), logs: new NodeRates(logs), reads: new NodeRates(reads) };
  }

  /**
   * Returns the agent of a request. Throws Refused before it reads any part of the body, so that refusing a node that
   * exceeds its rate is cheap. A refused request makes its connection known to nobody.
   */
  async enter(request: IncomingMessage, kind: RequestKind): Promise<Agent> {
    const { authorization } = request.headers;
    const agent =
      this.registry.remembered(authorization) ??
      (await this.visitors.lookUp(request, () => this.registry.authenticate(authorization)));
    if (!agent) throw unauthenticated();
    if (!this.rates[kind].admits(agent.nodeId)) throw tooFast();
    this.visitors.know(request, `node ${agent.nodeId}`);
    return agent;
  }

  /** Stores the credential of a new agent. Throws Refused. */
  async register(request: IncomingMessage, body: Omit<RegisterRequest, 'boot_id'>): Promise<Agent> {
    const { node_id, token, credential_hash: hash, agent_version: version } = body;
    const agent = await this.visitors.lookUp(request, () =>
      this.registry.register(node_id, token, Buffer.from(hash, 'hex'), version),
    );
    if (!agent) throw unauthenticated();
    this.visitors.know(request, `node ${agent.nodeId}`);
    return agent;
  }
}
