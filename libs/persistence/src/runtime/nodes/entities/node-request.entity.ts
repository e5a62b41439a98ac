import type { DeadLetterRequest, NodeId, NodeRequestId } from '@libs/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A request that a node answers within seconds. */
@Entity('node_requests')
export class NodeRequest {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: NodeRequestId;

  @Column('bigint')
  node_id: NodeId;

  @Column('jsonb')
  body: DeadLetterRequest;

  /** JSON text. Null before the answer. */
  @Column('text', { nullable: true })
  answer: string | null;

  /** Why the node refused. */
  @Column('text', { nullable: true })
  error: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { nullable: true })
  answered_at: Date | null;
}
