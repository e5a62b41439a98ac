import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Ledger } from '@libs/ledger';
import { RuntimesRepository, type ReachabilityChange } from '@libs/persistence/runtime';

/** Notifies the channels that a node is unreachable or reachable again, once per outage. */
@Injectable()
export class ReachabilityLedger {
  constructor(
    private readonly runtimes: RuntimesRepository,
    private readonly ledger: Ledger,
  ) {}

  /** Runs in the transaction of the change. */
  async changed({ nodeId, name, deploymentId, since, isReachable }: ReachabilityChange): Promise<void> {
    const facts = await this.runtimes.facts(deploymentId);
    if (!facts) return;
    const type = isReachable ? 'node_reachable' : 'node_unreachable';
    const context = {
      tenantId: facts.tenant_id,
      division: { id: facts.division_id, name: facts.division_name },
      environment: { id: facts.environment_id, name: facts.environment_name },
      deployment: { id: facts.id, name: facts.name },
    };
    const subject = `Node ${name} of ${facts.name} is ${isReachable ? 'reachable again' : 'unreachable'}`;
    const data = { node_id: nodeId, name, unreachable_since: new Date(since).toISOString() };
    // No request caused the event, so a new trace starts here.
    await this.ledger.announce(
      { type, key: `${type}:${nodeId}:${since}`, subject, data },
      context,
      randomBytes(16).toString('hex'),
    );
  }
}
