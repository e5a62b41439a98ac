import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { DeploymentId } from '@libs/domain';
import { Ledger, type LedgerEvent } from '@libs/ledger';
import { RuntimesRepository, type DeploymentFacts, type ReachabilityChange } from '@libs/persistence/runtime';
import { contextOf } from '../platform/index.js';

/** Notifies the channels that nodes are unreachable or reachable again, and that deployments are degraded or recovered. */
@Injectable()
export class ReachabilityLedger {
  constructor(
    private readonly runtimes: RuntimesRepository,
    private readonly ledger: Ledger,
  ) {}

  /** Once per outage of a node. Runs in the transaction of the change. */
  async changed({ nodeId, name, deploymentId, since, isReachable }: ReachabilityChange): Promise<void> {
    const facts = await this.runtimes.facts(deploymentId);
    if (!facts) return;
    const type = isReachable ? 'node_reachable' : 'node_unreachable';
    const subject = `Node ${name} of ${facts.name} is ${isReachable ? 'reachable again' : 'unreachable'}`;
    const data = { node_id: nodeId, name, unreachable_since: new Date(since).toISOString() };
    await this.announce(facts, { type, key: `${type}:${nodeId}:${since}`, subject, data });
  }

  /** Null for the reason: the deployment serves again. Runs in the transaction that has changed the status. */
  async serviceChanged(deploymentId: DeploymentId, reason: string | null): Promise<void> {
    const [facts, runtime] = [await this.runtimes.facts(deploymentId), await this.runtimes.find(deploymentId)];
    if (!facts || !runtime) return;
    const type = reason === null ? 'deployment_recovered' : 'deployment_degraded';
    const key = `${type}:${deploymentId}:${runtime.status_since.getTime()}`;
    const subject = `Deployment ${facts.name} is ${reason === null ? 'in service again' : 'degraded'}`;
    await this.announce(facts, { type, key, subject, data: { name: facts.name, code: facts.code, reason } });
  }

  /**
   * No request caused the event, so a new trace starts here. Two Supervisors may find the same change, and the key makes
   * one event of it.
   */
  private async announce(facts: DeploymentFacts, event: LedgerEvent): Promise<void> {
    const traceId = randomBytes(16).toString('hex');
    await this.ledger.announceOnce([{ event, context: contextOf(facts), traceId }]);
  }
}
