import { Injectable } from '@nestjs/common';
import { Database, Secrets } from '@libs/persistence';
import {
  NodeDocumentsRepository,
  NodeOrdersRepository,
  NodesRepository,
  type NewOrder,
  type OrderRow,
} from '@libs/persistence/runtime';
import { StepImpossible, type OperationRow } from '@libs/workflow';
import { DeploymentResources } from './deployment-resources.js';
import { deploymentOf } from './subject.js';

/** Work that nodes do once for an operation: given, waited for, and taken back when it has ended or is no longer wanted. */
@Injectable()
export class NodeWork {
  private readonly nodes: NodesRepository;
  private readonly orderRows: NodeOrdersRepository;
  private readonly documents: NodeDocumentsRepository;

  constructor(
    database: Database,
    secrets: Secrets,
    private readonly resources: DeploymentResources,
  ) {
    this.nodes = new NodesRepository(database);
    this.orderRows = new NodeOrdersRepository(database);
    this.documents = new NodeDocumentsRepository(database, secrets);
  }

  /** In the transaction of the caller. */
  async give(operation: OperationRow, orders: readonly NewOrder[]): Promise<void> {
    await this.orderRows.give(operation.id, orders);
    for (const id of orders.map(({ nodeId }) => nodeId).sort((a, b) => a - b))
      await this.documents.publish(id, operation.trace_id);
  }

  /** Takes back whatever the operation gave. In the transaction of the caller. */
  async withdraw(operation: OperationRow): Promise<void> {
    for (const id of await this.orderRows.withdraw(operation.id)) await this.documents.publish(id, operation.trace_id);
  }

  /**
   * What came of the orders when all have ended well; else for whom it waits. Nodes that died are started again meanwhile.
   * @throws StepImpossible in the words of a node that failed, or when one that is waited for is unreachable
   */
  async outcome(operation: OperationRow, signal: AbortSignal): Promise<OrderRow[] | string> {
    const orders = await this.orderRows.list(operation.id);
    const nodes = await this.nodes.list(deploymentOf(operation));
    const failed = orders.find(({ status }) => status === 'failed');
    const nameOf = (id: number): string => nodes.find((node) => node.id === id)?.name ?? `node ${id}`;
    if (failed) throw new StepImpossible(`${nameOf(failed.nodeId)}: ${failed.error ?? 'failed'}`);
    const open = orders.filter(({ status }) => status === 'open').map(({ nodeId }) => nodeId);
    if (open.length === 0) return orders;
    const lost = nodes.find(({ id, status }) => open.includes(id) && status === 'unreachable');
    if (lost) throw new StepImpossible(`${lost.name} is unreachable`);
    await this.revive(operation, signal);
    return `waits for ${open.map(nameOf).join(', ')}`;
  }

  /** What came of the orders so far. */
  async orders(operation: OperationRow): Promise<OrderRow[]> {
    return this.orderRows.list(operation.id);
  }

  /** Whether every order has ended, well or not; nodes that died are started again. */
  async haveEnded(operation: OperationRow, signal: AbortSignal): Promise<boolean> {
    const orders = await this.orderRows.list(operation.id);
    if (orders.every(({ status }) => status !== 'open')) return true;
    await this.revive(operation, signal);
    return false;
  }

  /** Nobody else looks after the nodes of a deployment that is being changed. */
  private async revive(operation: OperationRow, signal: AbortSignal): Promise<void> {
    const facts = await this.resources.facts(deploymentOf(operation));
    await this.resources.ensureNodes(facts, await this.nodes.list(facts.id), signal);
  }
}
