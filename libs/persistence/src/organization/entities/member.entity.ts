import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DivisionId, TenantId, UserId } from '@libs/domain';

/** The membership of a user in a tenant. */
@Entity('members')
export class Member {
  @PrimaryColumn('bigint')
  tenant_id: TenantId;

  @PrimaryColumn('bigint')
  user_id: UserId;

  @Column('boolean', { default: true })
  active: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  /** Null for a member of the whole tenant. */
  @Column('bigint', { nullable: true })
  division_id: DivisionId | null;
}
