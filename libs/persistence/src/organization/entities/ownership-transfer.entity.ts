import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { OwnershipTransferId, TenantId, UserId } from '@libs/domain';

/** An offer of the owner of a tenant to another member. */
@Entity('ownership_transfers')
export class OwnershipTransfer {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: OwnershipTransferId;

  @Column('bigint')
  tenant_id: TenantId;

  @Column('bigint')
  from_user_id: UserId;

  @Column('bigint')
  to_user_id: UserId;

  @Column('text', { default: 'pending' })
  status: 'pending' | 'accepted' | 'rejected' | 'replaced';

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz')
  expires_at: Date;

  @Column('timestamptz', { nullable: true })
  answered_at: Date | null;
}
