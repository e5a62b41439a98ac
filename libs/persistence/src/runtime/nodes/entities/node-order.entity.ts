import type { NodeOrder as OrderSpec, NodeOrderKind, OrderPart } from '@libs/domain';
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
  id: number;

  @Column('bigint')
  node_id: number;

  @Column('bigint')
  operation_id: number;

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
