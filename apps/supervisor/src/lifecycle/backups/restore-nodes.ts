import { Injectable } from '@nestjs/common';
import type { NodeId, SourceDisk } from '@libs/domain';
import { NodeDocumentsRepository, NodesRepository, type NewOrder, type NodeRow } from '@libs/persistence/runtime';
import type { OperationRow } from '@libs/workflow';
import { NodeTurns } from '../node-turns.js';
import { NodeWork } from '../node-work.js';
import { deploymentOf } from '../subject.js';
import type { StoredArchive } from './verify-archive.js';

/** Data for a node on a disk of its machine. */
export interface DataOnDisk {
  node_id: NodeId;
  disk: SourceDisk;
  /** Of the list of files. */
  sha256: string;
  size_bytes: number;
}

export type NodeData = StoredArchive | DataOnDisk;

/**
 * The nodes whose data is replaced: they are stopped, get other data or their own data back, and start again. Always
 * all together.
 */
@Injectable()
export class RestoreNodes {
  constructor(
    private readonly nodes: NodesRepository,
    private readonly documents: NodeDocumentsRepository,
    readonly turns: NodeTurns,
    readonly work: NodeWork,
  ) {}

  async list(operation: OperationRow): Promise<NodeRow[]> {
    return this.nodes.list(deploymentOf(operation));
  }

  /** Stops the brokers until `letGo`. Runs in the transaction of the caller, like all methods below. */
  async hold(operation: OperationRow): Promise<void> {
    await this.nodes.hold(deploymentOf(operation));
    await this.publish(operation);
  }

  /** Starts the brokers again and withdraws open orders. */
  async letGo(operation: OperationRow): Promise<void> {
    await this.work.withdraw(operation);
    await this.nodes.release(deploymentOf(operation));
    await this.publish(operation);
  }

  /** Orders each node to restore the data of its archive or disk. */
  async replaceData(operation: OperationRow, sources: readonly NodeData[]): Promise<void> {
    const orders = sources.map((source): NewOrder => {
      const { sha256, size_bytes } = source;
      const order = orderOf(operation, 'restore_data', source.node_id);
      return {
        ...order,
        parts: { data: { sha256, size_bytes } },
        ...('disk' in source
          ? { options: { ...order.options, disk: source.disk } }
          : { objects: { data: { key: source.object_key, limit_bytes: 0 } } }),
      };
    });
    await this.work.give(operation, orders);
  }

  /** Orders each node to put its old data back, or to delete it. */
  async end(operation: OperationRow, kind: 'revert_data' | 'settle_data', snapshots: readonly { node_id: NodeId }[]) {
    await this.work.give(
      operation,
      snapshots.map(({ node_id }) => orderOf(operation, kind, node_id)),
    );
  }

  private async publish(operation: OperationRow): Promise<void> {
    await this.documents.publishAll(deploymentOf(operation), operation.trace_id);
  }
}

const orderOf = (operation: OperationRow, kind: NewOrder['kind'], nodeId: NodeId): NewOrder => ({
  nodeId,
  kind,
  options: { restore: operation.id },
});
