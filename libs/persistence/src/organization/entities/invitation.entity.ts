import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { DivisionId, InvitationId, RoleId, TenantId, UserId } from '@libs/domain';

/** An invitation of an e-mail address to a tenant or to one of its divisions. */
@Entity('invitations')
export class Invitation {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: InvitationId;

  @Column('bigint')
  tenant_id: TenantId;

  @Column('text')
  email: string;

  @Column('bigint', { nullable: true })
  division_id: DivisionId | null;

  @Column('bigint', { array: true, default: '{}' })
  role_ids: RoleId[];

  @Column('text')
  status: 'pending' | 'accepted' | 'rejected' | 'expired';

  @Column('bigint')
  inviter_id: UserId;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz')
  expires_at: Date;

  @Column('timestamptz', { nullable: true })
  answered_at: Date | null;
}
