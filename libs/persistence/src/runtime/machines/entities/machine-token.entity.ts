import type { MachineId, MachineTokenId } from '@libs/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A one-time token with which a host joins as a machine of one region and zone. */
@Entity('machine_tokens')
export class MachineToken {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: MachineTokenId;

  @Column('text')
  cell: string;

  @Column('text')
  region: string;

  @Column('text')
  zone: string;

  @Column('bytea')
  secret_hash: Buffer;

  @Column('timestamptz')
  expires_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  /** The machine that joined with it. A token with a machine is good only for a repeated join of the same machine. */
  @Column('bigint', { nullable: true })
  machine_id: MachineId | null;
}
