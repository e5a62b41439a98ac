import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The membership of a user in a tenant. */
@Entity('members')
export class Member {
  @PrimaryColumn('bigint')
  tenant_id: number;

  @PrimaryColumn('bigint')
  user_id: number;

  @Column('boolean', { default: true })
  active: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  /** Null for a member of the whole tenant. */
  @Column('bigint', { nullable: true })
  division_id: number | null;
}
