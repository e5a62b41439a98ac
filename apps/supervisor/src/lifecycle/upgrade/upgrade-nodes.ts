import { Injectable } from '@nestjs/common';
import type { Resource } from '@libs/cloud';
import type { UpgradeShape } from '@libs/domain';
import { NodeDocumentsRepository, NodesRepository, type NodeRow, type NodeSize } from '@libs/persistence/runtime';
import type { OperationRow } from '@libs/workflow';
import { DeploymentResources } from '../deployment-resources.js';
import { NodeTurns } from '../node-turns.js';
import { deploymentOf } from '../subject.js';

/** The nodes of an upgrade, one after the other. */
@Injectable()
export class UpgradeNodes {
  constructor(
    private readonly nodes: NodesRepository,
    private readonly documents: NodeDocumentsRepository,
    private readonly resources: DeploymentResources,
    readonly turns: NodeTurns,
  ) {}

  /**
   * Changes the size of the current node at the provider. Returns the write for it, or the node while the provider is not ready; null
   * after the last node.
   */
  async resizeCurrent(
    operation: OperationRow,
    shape: UpgradeShape,
    signal: AbortSignal,
  ): Promise<{ write: () => Promise<void> } | { pending: Resource<'node'> } | null> {
    const node = await this.turns.current(operation);
    if (!node) return null;
    const facts = await this.resources.facts(node.deployment_id);
    const size = sizeOf(shape);
    const resource = await this.resources.ensureNode(facts, withSize(node, size), signal);
    // A cloud stops an instance, changes its type and starts it again, and each is a call of its own.
    if (resource.state === 'pending') return { pending: resource };
    return { write: () => this.resize(node, size, operation) };
  }

  /** Gives the nodes at the provider the sizes of their rows again. Returns a node whose provider is not ready; null when all are. */
  async bringBack(operation: OperationRow, signal: AbortSignal): Promise<Resource<'node'> | null> {
    const facts = await this.resources.facts(deploymentOf(operation));
    const nodes: Resource<'node'>[] = [];
    for (const node of await this.nodes.list(facts.id))
      nodes.push(await this.resources.ensureNode(facts, node, signal));
    return nodes.find(({ state }) => state === 'pending') ?? null;
  }

  /** Runs in the transaction of the caller. */
  async resizeAll(operation: OperationRow, shape: UpgradeShape): Promise<void> {
    const size = sizeOf(shape);
    for (const node of await this.nodes.list(deploymentOf(operation)))
      if (!hasSize(node, size)) await this.resize(node, size, operation);
  }

  private async resize(node: NodeRow, size: NodeSize, operation: OperationRow): Promise<void> {
    await this.nodes.resize(node.id, size);
    await this.documents.publish(node.id, operation.trace_id);
  }
}

const sizeOf = ({ tier, memory_mib, storage }: UpgradeShape): NodeSize => ({
  variant: tier,
  memoryMib: memory_mib,
  storageSize: storage.size,
});

const withSize = (node: NodeRow, { variant, memoryMib, storageSize }: NodeSize): NodeRow => ({
  ...node,
  variant,
  memory_mib: memoryMib,
  storage_size: storageSize,
});

const hasSize = (node: NodeRow, size: NodeSize): boolean =>
  node.variant === size.variant && node.memory_mib === size.memoryMib && node.storage_size === size.storageSize;
