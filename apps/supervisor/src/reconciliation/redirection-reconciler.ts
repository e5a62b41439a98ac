import { Inject, Injectable } from '@nestjs/common';
import {
  NodesRepository,
  RedirectionsRepository,
  RuntimesRepository,
  type DeploymentFacts,
  type NodeRow,
  type Redirection,
} from '@libs/persistence/runtime';
import { Reconciler } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { DeploymentNames, DeploymentResources } from '../lifecycle/index.js';

const PERIOD_MS = 10_000;
const BATCH = 20;
const CALL_TIMEOUT_MS = 15_000;

/**
 * Leads the clients of a deployment to a node that got another machine: moves the public address of the node, changes the nodes behind
 * the load balancer, and the addresses of the name. Repeats this until the providers have accepted everything. Several Supervisors may do it at once, because each
 * call is safe to repeat.
 */
@Injectable()
export class RedirectionReconciler extends Reconciler {
  private readonly cell: string;

  constructor(
    private readonly redirections: RedirectionsRepository,
    private readonly runtimes: RuntimesRepository,
    private readonly nodes: NodesRepository,
    private readonly resources: DeploymentResources,
    private readonly names: DeploymentNames,
    @Inject(SUPERVISOR_CONFIG) config: SupervisorConfig,
  ) {
    super('Redirections', PERIOD_MS);
    this.cell = config.SUPERVISOR_CELL;
  }

  protected async pass(stopping: AbortSignal): Promise<void> {
    for (const redirection of await this.redirections.due(this.cell, BATCH)) {
      if (stopping.aborted) return;
      const isDone = await this.redirect(redirection, stopping).catch((error: unknown) => {
        const { deploymentId: deployment } = redirection;
        if (!stopping.aborted)
          this.logger.warn({ deployment, error: String(error) }, 'clients could not be led to another machine');
        return false;
      });
      await (isDone ? this.redirections.end(redirection) : this.redirections.postpone(redirection));
    }
  }

  /** Returns whether the addresses, the load balancer and the name lead to the nodes as they are now. */
  private async redirect({ deploymentId, hasBalancer }: Redirection, stopping: AbortSignal): Promise<boolean> {
    const facts = await this.resources.facts(deploymentId);
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(CALL_TIMEOUT_MS)]);
    const nodes = await this.nodes.list(deploymentId);
    if (facts.public_ip_enabled && !(await this.moveAddresses(facts, nodes, signal))) return false;
    if (hasBalancer) {
      const balancer = await this.resources.ensureLoadBalancer(facts, nodes, signal);
      if (balancer.state !== 'active') return false;
      await this.runtimes.recordLoadBalancer(deploymentId, balancer.attributes.address);
    }
    return (await this.names.ensure(facts, signal)) === null;
  }

  /** Another instance begins with another address. Returns whether each node has its own address again. */
  private async moveAddresses(facts: DeploymentFacts, nodes: NodeRow[], signal: AbortSignal): Promise<boolean> {
    const addresses = await this.resources.ensureAddresses(facts, nodes, signal);
    if (addresses.some(({ state }) => state !== 'active')) return false;
    const ips = addresses.map(({ attributes }) => attributes.ip);
    for (const [index, { id }] of nodes.entries()) await this.nodes.setPublicIp(id, ips[index] ?? '');
    return true;
  }
}
