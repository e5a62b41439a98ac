import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The counter of transferred bytes of a node, up to which transfer is metered. */
@Entity('transfer_marks')
export class TransferMark {
  @PrimaryColumn('bigint')
  node_id: number;

  @Column('bigint')
  deployment_id: number;

  @Column('timestamptz')
  minute: Date;

  @Column('double precision')
  bytes: number;
}
