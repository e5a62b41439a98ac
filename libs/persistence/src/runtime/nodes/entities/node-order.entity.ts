import type { NodeOrder as OrderSpec, NodeOrderKind, OrderPart, NodeId, NodeOrderId, OperationId } from '@libs/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** The location of a part of an order in the object store, for reads or uploads. */
export interface OrderObject {
  key: string;
  /** Maximum size of an upload. */
  limit_bytes: number;
}

export type OrderObjects = Partial<Record<OrderPart, OrderObject>>;

/** Work that a node does once, such as a backup. */
@Entity('node_orders')
export class NodeOrder {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: NodeOrderId;

  @Column('bigint')
  node_id: NodeId;

  @Column('bigint')
  operation_id: OperationId;

  @Column('text')
  kind: NodeOrderKind;

  @Column('jsonb', { default: {} })
  parts: OrderSpec['parts'];

  @Column('jsonb', { default: {} })
  options: OrderSpec['options'];

  @Column('jsonb', { default: {} })
  objects: OrderObjects;

  @Column('text', { default: 'open' })
  status: 'open' | 'done' | 'failed';

  @Column('text', { nullable: true })
  error: string | null;

  @Column('jsonb', { default: {} })
  results: OrderSpec['parts'];

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { nullable: true })
  ended_at: Date | null;
}
