import { Injectable } from '@nestjs/common';
import { inService, NodeDocumentsRepository, NodesRepository, type NodeRow } from '@libs/persistence/runtime';
import type { OperationRow } from '@libs/workflow';
import { DeploymentResources } from './deployment-resources.js';
import { deploymentOf } from './subject.js';

/** The part of the memo with the index of the current node. */
type Turn = { node_index: number };

/**
 * Changes nodes one after the other: the next one only when the one before serves again. All workflows that interrupt
 * nodes use this class. The operation's memo contains the index of the current node.
 */
@Injectable()
export class NodeTurns {
  constructor(
    private readonly nodes: NodesRepository,
    private readonly documents: NodeDocumentsRepository,
    private readonly resources: DeploymentResources,
  ) {}

  /** Returns which nodes do not serve with their newest document yet, for people. Null: all serve. */
  async missing(operation: OperationRow, signal: AbortSignal): Promise<string | null> {
    const convergence = await this.documents.convergence(deploymentOf(operation));
    if (convergence.serving === convergence.nodes) return null;
    await this.reviveAll(operation, signal);
    return inService(convergence);
  }

  /** Returns the current node; null after the last one. */
  async current(operation: OperationRow): Promise<NodeRow | null> {
    return (await this.nodes.list(deploymentOf(operation)))[indexOf(operation)] ?? null;
  }

  /** Returns the memo with the next node when the current one serves again; null until then. A deleted node is skipped. */
  async passOn(operation: OperationRow, signal: AbortSignal): Promise<Turn | null> {
    const node = await this.current(operation);
    if (node !== null && !(await this.documents.serves(node.id))) {
      await this.reviveAll(operation, signal);
      return null;
    }
    return { node_index: indexOf(operation) + 1 };
  }

  /**
   * Restarts dead nodes; running nodes are not affected. Checks all nodes, not only the current one: no other process
   * repairs a deployment that is being changed, and a node may need another node to serve.
   */
  async reviveAll(operation: OperationRow, signal: AbortSignal): Promise<void> {
    const facts = await this.resources.facts(deploymentOf(operation));
    await this.resources.ensureNodes(facts, await this.nodes.list(facts.id), signal);
  }
}

const indexOf = (operation: OperationRow): number => Number(operation.memo['node_index'] ?? 0);
