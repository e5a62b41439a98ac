import { Injectable } from '@nestjs/common';
import type { NodeId } from '@libs/domain';
import {
  NodeDocumentsRepository,
  NodeOrdersRepository,
  NodesRepository,
  type NewOrder,
  type OrderRow,
} from '@libs/persistence/runtime';
import { StepImpossible, type OperationRow } from '@libs/workflow';
import { NodeTurns } from './node-turns.js';
import { deploymentOf } from './subject.js';

/** One-time work of nodes for an operation: gives orders, waits for them, and withdraws them. */
@Injectable()
export class NodeWork {
  constructor(
    private readonly nodes: NodesRepository,
    private readonly orderRows: NodeOrdersRepository,
    private readonly documents: NodeDocumentsRepository,
    private readonly turns: NodeTurns,
  ) {}

  /** Runs in the transaction of the caller. */
  async give(operation: OperationRow, orders: readonly NewOrder[]): Promise<void> {
    await this.orderRows.give(operation.id, orders);
    for (const id of orders.map(({ nodeId }) => nodeId).sort((a, b) => a - b))
      await this.documents.publish(id, operation.trace_id);
  }

  /** Withdraws all orders of the operation. Runs in the transaction of the caller. */
  async withdraw(operation: OperationRow): Promise<void> {
    for (const id of await this.orderRows.withdraw(operation.id)) await this.documents.publish(id, operation.trace_id);
  }

  /**
   * Returns the orders when all are done, else a text with the nodes that it waits for. Restarts dead nodes.
   * @throws StepImpossible with the error of a failed node, or when a node that it waits for is unreachable
   */
  async outcome(operation: OperationRow, signal: AbortSignal): Promise<OrderRow[] | string> {
    const orders = await this.orderRows.list(operation.id);
    const nodes = await this.nodes.list(deploymentOf(operation));
    const failed = orders.find(({ status }) => status === 'failed');
    const nameOf = (id: NodeId): string => nodes.find((node) => node.id === id)?.name ?? `node ${id}`;
    if (failed) throw new StepImpossible(`${nameOf(failed.nodeId)}: ${failed.error ?? 'failed'}`);
    const open = orders.filter(({ status }) => status === 'open').map(({ nodeId }) => nodeId);
    if (open.length === 0) return orders;
    const lost = nodes.find(({ id, status }) => open.includes(id) && status === 'unreachable');
    if (lost) throw new StepImpossible(`${lost.name} is unreachable`);
    await this.turns.reviveAll(operation, signal);
    return `waits for ${open.map(nameOf).join(', ')}`;
  }

  /** Returns the orders with their results so far. */
  async orders(operation: OperationRow): Promise<OrderRow[]> {
    return this.orderRows.list(operation.id);
  }

  /** Whether every order has ended, done or failed. Restarts dead nodes. */
  async haveEnded(operation: OperationRow, signal: AbortSignal): Promise<boolean> {
    const orders = await this.orderRows.list(operation.id);
    if (orders.every(({ status }) => status !== 'open')) return true;
    await this.turns.reviveAll(operation, signal);
    return false;
  }
}
