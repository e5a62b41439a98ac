import type { MachineId, MachineTokenId, NodeToPlace } from '@libs/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A machine that a cloud makes for one node. The machine gets the node when it joins. */
@Entity('machine_reservations')
export class MachineReservation {
  /** The name of the resource of the node. */
  @PrimaryColumn('text')
  name: string;

  @Column('jsonb')
  node: NodeToPlace;

  /** The token with which the machine joins. */
  @Column('bigint')
  token_id: MachineTokenId;

  /** The sealed secret of the token, because a repeated creation needs the same one. Null: the machine has joined. */
  @Column('text', { nullable: true })
  secret: string | null;

  /** Null: the machine has not joined. */
  @Column('bigint', { nullable: true })
  machine_id: MachineId | null;
}
