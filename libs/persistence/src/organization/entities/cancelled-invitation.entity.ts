import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An invitation that was cancelled. The row stays for a day, because it counts against the limit of invitations. */
@Entity('cancelled_invitations')
export class CancelledInvitation {
  @PrimaryColumn('bigint')
  invitation_id: number;

  @Column('bigint')
  tenant_id: number;

  @Column('timestamptz', { default: () => 'now()' })
  cancelled_at: Date;
}
