import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NodeId } from '@libs/domain';

/** The end of the last stored batch of log lines of a node. */
@Entity('node_log_cursors')
export class NodeLogCursor {
  @PrimaryColumn('bigint')
  node_id: NodeId;

  @Column('text')
  cursor: string;

  @Column('text', { nullable: true })
  previous: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  stored_at: Date;

  /** The day that the bytes are counted for. */
  @Column('date', { default: '1970-01-01' })
  day: string;

  @Column('bigint', { default: 0 })
  day_bytes: number;

  @Column('bigint', { default: 0 })
  day_left_out: number;
}
