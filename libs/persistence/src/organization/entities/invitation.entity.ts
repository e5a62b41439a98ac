import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** An invitation of an e-mail address to a tenant or to one of its divisions. */
@Entity('invitations')
export class Invitation {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column('bigint')
  tenant_id: number;

  @Column('text')
  email: string;

  @Column('bigint', { nullable: true })
  division_id: number | null;

  @Column('bigint', { array: true, default: '{}' })
  role_ids: number[];

  @Column('text')
  status: 'pending' | 'accepted' | 'rejected' | 'expired';

  @Column('bigint')
  inviter_id: number;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz')
  expires_at: Date;

  @Column('timestamptz', { nullable: true })
  answered_at: Date | null;
}
