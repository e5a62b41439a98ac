import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { EndedAgents } from '@libs/host/processes';
import { AGENT_ENDED, ReachabilityRepository } from '@libs/persistence/runtime';
import { Reconciler } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { CloudProviders } from '../platform/index.js';
import { NodeReconciler } from './node-reconciler.js';
import { ReachabilityReconciler } from './reachability-reconciler.js';

const PERIOD_MS = 1_000;
/** A look connects to each agent. With many nodes it comes less often, so that it takes at most a hundredth of a core. */
const MS_OF_A_NODE = 20;

/**
 * Looks every second at the agents that this machine can see, and starts those again that have ended. Their nodes are `starting` from
 * then on, so that no record says `running` for a life that is over. Before the API serves, it looks for the agents that ended together
 * with the last Supervisor.
 */
@Injectable()
export class EndedAgentsReconciler extends Reconciler implements OnModuleInit {
  constructor(
    private readonly providers: CloudProviders,
    private readonly reachability: ReachabilityRepository,
    private readonly reachabilityReconciler: ReachabilityReconciler,
    private readonly nodeReconciler: NodeReconciler,
    @Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig,
  ) {
    super('EndedAgents', PERIOD_MS);
  }

  async onModuleInit(): Promise<void> {
    await this.markStarting().catch((error: unknown) =>
      this.logger.warn({ err: error }, 'ended agents could not be told'),
    );
  }

  protected async pass(stopping: AbortSignal): Promise<number> {
    const { looked, nodes } = await this.markStarting();
    if (nodes.length > 0)
      await this.nodeReconciler.reviveEnded(
        nodes.map(({ id }) => id),
        stopping,
      );
    return Math.max(PERIOD_MS, looked * MS_OF_A_NODE);
  }

  /** Writes what was seen into the records. The second look proves that the agents had ended at a time of the database. */
  private async markStarting(): Promise<EndedAgents> {
    const first = await this.look();
    if (first.nodes.length === 0) return first;
    const lookedAt = await this.reachability.time();
    const ended = await this.look();
    const ids = ended.nodes.map(({ id }) => id);
    const down = ended.nodes.filter(({ isServing }) => !isServing).map(({ id }) => id);
    const nodeIds = await this.reachability.agentsEnded(
      this.config.SUPERVISOR_CELL,
      { nodes: ids, down, reason: AGENT_ENDED },
      lookedAt,
    );
    if (nodeIds.length > 0) {
      this.logger.warn({ nodes: nodeIds }, 'agents have ended, and are started again');
      this.reachabilityReconciler.look();
    }
    return ended;
  }

  private async look(): Promise<EndedAgents> {
    const looks = this.providers.all().flatMap((provider) => (provider.endedAgents ? [provider.endedAgents()] : []));
    const all = await Promise.all(looks);
    return {
      looked: all.reduce((sum, { looked }) => sum + looked, 0),
      nodes: all.flatMap(({ nodes }) => nodes),
    };
  }
}
