import { Entity, PrimaryColumn } from 'typeorm';
import type { RoleId, TenantId, UserId } from '@libs/domain';

/** A role of a member. */
@Entity('member_roles')
export class MemberRole {
  @PrimaryColumn('bigint')
  tenant_id: TenantId;

  @PrimaryColumn('bigint')
  user_id: UserId;

  @PrimaryColumn('bigint')
  role_id: RoleId;
}
