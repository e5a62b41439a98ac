import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { DivisionId, InvitationId, RoleId, TenantId, UserId } from '@libs/domain';

/** An invitation of an e-mail address to a tenant or to one of its divisions. */
@Entity('invitations')
export class Invitation {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: InvitationId;

  @Column('bigint')
  tenant_id: TenantId;

  /** As its person typed it. */
  @Column('text')
  email: string;

  /** The mailbox of the address (`canonicalMailbox`), never empty: a trigger fills it for an earlier release. */
  @Column('text', { default: '' })
  email_canonical: string;

  /** An older row has the same mailbox: an earlier release took both. */
  @Column('boolean', { default: false })
  email_doubled: boolean;

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
