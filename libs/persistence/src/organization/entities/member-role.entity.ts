import { Entity, PrimaryColumn } from 'typeorm';

/** A role of a member. */
@Entity('member_roles')
export class MemberRole {
  @PrimaryColumn('bigint')
  tenant_id: number;

  @PrimaryColumn('bigint')
  user_id: number;

  @PrimaryColumn('bigint')
  role_id: number;
}
