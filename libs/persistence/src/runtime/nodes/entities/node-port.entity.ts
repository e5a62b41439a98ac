import type { BrokerProtocol, NodeId } from '@libs/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A port that a node uses on a machine that several nodes share. */
@Entity('node_ports')
export class NodePort {
  @PrimaryColumn('text')
  address: string;

  @PrimaryColumn('integer')
  port: number;

  @Column('bigint')
  node_id: NodeId;

  @Column('text')
  purpose: BrokerProtocol | 'peer';
}
