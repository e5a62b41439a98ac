import { Injectable } from '@nestjs/common';
import { Database, Secrets } from '@libs/persistence';
import { NodeDocumentsRepository, NodesRepository, type NodeRow } from '@libs/persistence/runtime';
import type { OperationRow } from '@libs/workflow';
import { DeploymentResources } from './deployment-resources.js';
import { deploymentOf } from './subject.js';

/** Memo of the node whose turn it is. */
type Turn = { node_index: number };

/**
 * One node after the other, and the next only when the one before serves again: what every workflow shares that takes
 * nodes out of service. Whose turn it is stands in the operation's memo.
 */
@Injectable()
export class NodeTurns {
  private readonly nodes: NodesRepository;
  private readonly documents: NodeDocumentsRepository;

  constructor(
    database: Database,
    secrets: Secrets,
    private readonly resources: DeploymentResources,
  ) {
    this.nodes = new NodesRepository(database);
    this.documents = new NodeDocumentsRepository(database, secrets);
  }

  /** What is missing until every node serves by its newest document, for people; null when nothing is. */
  async missing(operation: OperationRow, signal: AbortSignal): Promise<string | null> {
    const { nodes, serving } = await this.documents.convergence(deploymentOf(operation));
    if (serving === nodes) return null;
    await this.reviveAll(operation, signal);
    return `${serving} of ${nodes} nodes serve`;
  }

  /** The node whose turn it is; null when all have had theirs. */
  async current(operation: OperationRow): Promise<NodeRow | null> {
    return (await this.nodes.list(deploymentOf(operation)))[indexOf(operation)] ?? null;
  }

  /** The memo that passes the turn on, once the node serves again; null until then. A node that is gone holds nobody up. */
  async passOn(operation: OperationRow, signal: AbortSignal): Promise<Turn | null> {
    const node = await this.current(operation);
    if (node !== null && !(await this.documents.serves(node.id))) {
      await this.reviveAll(operation, signal);
      return null;
    }
    return { node_index: indexOf(operation) + 1 };
  }

  /**
   * Starts again whatever died; who lives answers that it does. All nodes and not just the one in turn: nobody else looks
   * after a deployment that is being changed, and a node may need another to serve.
   */
  private async reviveAll(operation: OperationRow, signal: AbortSignal): Promise<void> {
    const facts = await this.resources.facts(deploymentOf(operation));
    await this.resources.ensureNodes(facts, await this.nodes.list(facts.id), signal);
  }
}

const indexOf = (operation: OperationRow): number => Number(operation.memo['node_index'] ?? 0);
