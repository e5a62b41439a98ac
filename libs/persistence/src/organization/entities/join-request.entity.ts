import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { JoinRequestId, TenantId, UserId } from '@libs/domain';

/** A request of a user to join a tenant by the domain of the user's address. */
@Entity('join_requests')
export class JoinRequest {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: JoinRequestId;

  @Column('bigint')
  tenant_id: TenantId;

  @Column('bigint')
  user_id: UserId;

  @Column('text')
  status: 'pending' | 'approved' | 'rejected';

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  /** Null while the request is pending. */
  @Column('timestamptz', { nullable: true })
  answered_at: Date | null;
}
