import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** An offer of the owner of a tenant to another member. */
@Entity('ownership_transfers')
export class OwnershipTransfer {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column('bigint')
  tenant_id: number;

  @Column('bigint')
  from_user_id: number;

  @Column('bigint')
  to_user_id: number;

  @Column('text', { default: 'pending' })
  status: 'pending' | 'accepted' | 'rejected' | 'replaced';

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz')
  expires_at: Date;

  @Column('timestamptz', { nullable: true })
  answered_at: Date | null;
}
