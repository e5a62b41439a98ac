import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A request of a user to join a tenant by the domain of the user's address. */
@Entity('join_requests')
export class JoinRequest {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column('bigint')
  tenant_id: number;

  @Column('bigint')
  user_id: number;

  @Column('text')
  status: 'pending' | 'approved' | 'rejected';

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  /** Null while the request is pending. */
  @Column('timestamptz', { nullable: true })
  answered_at: Date | null;
}
