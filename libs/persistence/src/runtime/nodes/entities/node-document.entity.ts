import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NodeId } from '@libs/domain';

/** The desired state of a node. */
@Entity('node_documents')
export class NodeDocument {
  @PrimaryColumn('bigint')
  node_id: NodeId;

  @Column('bigint')
  timeline: number;

  @Column('bigint')
  generation: number;

  @Column('text')
  hash: string;

  /** Sealed. */
  @Column('text')
  spec: string;

  @Column('timestamptz', { default: () => 'now()' })
  published_at: Date;

  @Column('text', { default: '' })
  trace_id: string;
}
