import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { OrderPart } from '@libs/domain';
import { ObjectStore, ObjectStoreError, type StoredObject } from '@libs/object-store';
import { Database } from '@libs/persistence';
import { NodeOrdersRepository } from '@libs/persistence/runtime';

/** One part of an order of one node. */
export interface RelayedPart {
  nodeId: number;
  order: number;
  part: OrderPart;
}

/**
 * Passes what orders upload and download on to the object store and back: nodes know neither its address nor its keys, and
 * reach no more of it than what their own open orders name.
 */
@Injectable()
export class ObjectRelay {
  private readonly orders: NodeOrdersRepository;

  constructor(
    database: Database,
    private readonly store: ObjectStore,
  ) {
    this.orders = new NodeOrdersRepository(database);
  }

  /** Null when the node has no such order; rejects with ObjectStoreError. */
  async take({ nodeId, order, part }: RelayedPart, body: Readable): Promise<StoredObject | null> {
    const object = await this.orders.findObject(order, nodeId, part);
    return object && this.store.put(object.key, body, object.limit_bytes);
  }

  /** Null when there is no such order, or no such object any more. */
  async find({ nodeId, order, part }: RelayedPart): Promise<Readable | null> {
    const object = await this.orders.findObject(order, nodeId, part);
    if (object === null) return null;
    return this.store.get(object.key).catch((error: unknown) => {
      if (error instanceof ObjectStoreError && error.fault === 'missing') return null;
      throw error;
    });
  }
}
