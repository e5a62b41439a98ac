import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { OrderPart, NodeId } from '@libs/domain';
import { ObjectStore, ObjectStoreError, type StoredObject } from '@libs/object-store';
import { NodeOrdersRepository } from '@libs/persistence/runtime';

/** One part of an order of one node. */
export interface RelayedPart {
  nodeId: NodeId;
  order: number;
  part: OrderPart;
}

/**
 * Transfers the data of orders between nodes and the object store. Nodes have neither its address nor its keys, and can
 * access only the objects of their own open orders.
 */
@Injectable()
export class ObjectRelay {
  constructor(
    private readonly orders: NodeOrdersRepository,
    private readonly store: ObjectStore,
  ) {}

  /** Null when the node has no such order. Rejects with ObjectStoreError. */
  async take({ nodeId, order, part }: RelayedPart, body: Readable): Promise<StoredObject | null> {
    const object = await this.orders.findObject(order, nodeId, part);
    return object && this.store.put(object.key, body, object.limit_bytes);
  }

  /** Null when the order or the object does not exist. */
  async find({ nodeId, order, part }: RelayedPart): Promise<Readable | null> {
    const object = await this.orders.findObject(order, nodeId, part);
    if (object === null) return null;
    return this.store.get(object.key).catch((error: unknown) => {
      if (error instanceof ObjectStoreError && error.fault === 'missing') return null;
      throw error;
    });
  }
}
