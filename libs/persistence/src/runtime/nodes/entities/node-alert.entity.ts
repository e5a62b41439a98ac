import type { UsageKind, NodeId } from '@libs/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An overused resource of a node. */
@Entity('node_alerts')
export class NodeAlert {
  @PrimaryColumn('bigint')
  node_id: NodeId;

  @PrimaryColumn('text')
  kind: UsageKind;

  @Column('integer')
  above: number;

  /** Null: the usage is below the limit again. */
  @Column('timestamptz', { nullable: true })
  since: Date | null;

  @Column('timestamptz')
  sampled_at: Date;
}
