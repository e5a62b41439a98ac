import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { InvitationId, TenantId } from '@libs/domain';

/** An invitation that was cancelled. The row stays for a day, because it counts against the limit of invitations. */
@Entity('cancelled_invitations')
export class CancelledInvitation {
  @PrimaryColumn('bigint')
  invitation_id: InvitationId;

  @Column('bigint')
  tenant_id: TenantId;

  @Column('timestamptz', { default: () => 'now()' })
  cancelled_at: Date;
}
