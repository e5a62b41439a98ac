import type { NodeId } from '@libs/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The tries to revive a silent node since its last report. A row from before the last report has no effect. */
@Entity('node_revivals')
export class NodeRevival {
  @PrimaryColumn('bigint')
  node_id: NodeId;

  @Column('integer')
  tries: number;

  @Column('timestamptz')
  tried_at: Date;

  /** When the next try is due. */
  @Column('timestamptz')
  due_at: Date;

  /** When the provider first reported that the node does not exist, if every report since then said the same. */
  @Column('timestamptz', { nullable: true })
  gone_since: Date | null;
}
