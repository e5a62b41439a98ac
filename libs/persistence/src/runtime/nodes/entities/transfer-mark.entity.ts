import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeploymentId, NodeId } from '@libs/domain';

/** The counter of transferred bytes of a node, up to which transfer is metered. */
@Entity('transfer_marks')
export class TransferMark {
  @PrimaryColumn('bigint')
  node_id: NodeId;

  @Column('bigint')
  deployment_id: DeploymentId;

  @Column('timestamptz')
  minute: Date;

  @Column('double precision')
  bytes: number;
}
