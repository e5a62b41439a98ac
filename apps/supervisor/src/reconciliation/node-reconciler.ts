import { Inject, Injectable } from '@nestjs/common';
import type { DeploymentId, NodeId } from '@libs/domain';
import { Database } from '@libs/persistence';
import { NodeAgentsRepository, NodesRepository, type NodeRow } from '@libs/persistence/runtime';
import { Reconciler } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { DeploymentResources } from '../lifecycle/index.js';

const LONGEST_PERIOD_MS = 5_000;
/** Three heartbeats: a running agent would have reported. */
const SILENT_SECONDS = 30;
const CALL_TIMEOUT_MS = 15_000;

/**
 * Keeps an agent running on every node of a serving deployment. A pass takes no input, reads the nodes without recent
 * reports, and requests them from the provider again. A running node is not changed; a node without its disk is
 * replaced. The first pass after the start checks all nodes of the cell, because a restarted machine runs none.
 */
@Injectable()
export class NodeReconciler extends Reconciler {
  private readonly silentSeconds: number;
  private isFirst = true;

  constructor(
    private readonly database: Database,
    private readonly nodes: NodesRepository,
    private readonly agents: NodeAgentsRepository,
    private readonly resources: DeploymentResources,
    @Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig,
  ) {
    const silentSeconds = Math.min(SILENT_SECONDS, config.NODE_UNREACHABLE_SECONDS / 2);
    super('NodeReconciler', Math.min(LONGEST_PERIOD_MS, (silentSeconds * 1000) / 2));
    this.silentSeconds = silentSeconds;
  }

  protected async pass(stopping: AbortSignal): Promise<void> {
    const seconds = this.isFirst ? 0 : this.silentSeconds;
    for (const { id, deploymentId } of await this.nodes.findSilent(this.config.SUPERVISOR_CELL, seconds)) {
      if (stopping.aborted) return;
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(CALL_TIMEOUT_MS)]);
      await this.revive(id, deploymentId, signal).catch((error: unknown) => {
        this.logger.warn({ node: id, deployment: deploymentId, error: String(error) }, 'node could not be ensured');
      });
    }
    this.isFirst = false;
  }

  private async revive(nodeId: NodeId, deploymentId: DeploymentId, signal: AbortSignal): Promise<void> {
    const facts = await this.resources.facts(deploymentId);
    const node = (await this.nodes.list(deploymentId)).find(({ id }) => id === nodeId);
    if (!node || node.status === 'deleting') return;
    const found = await this.resources.findNode(facts, node, signal);
    if (found === null || found.state === 'failed')
      await this.replace(node, found?.reason ?? 'the node no longer exists');
    await this.resources.ensureNode(facts, node, signal);
  }

  /** The agent's identity was on the lost disk. The new agent gets a new identity, which fences the old one. */
  private async replace({ id, deployment_id: deploymentId }: NodeRow, reason: string): Promise<void> {
    await this.database.transaction(() => this.agents.replace(id));
    this.logger.error({ node: id, deployment: deploymentId, reason }, 'node is lost, another takes its place');
  }
}
