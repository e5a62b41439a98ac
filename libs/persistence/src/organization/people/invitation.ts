import type { PermissionTree, DivisionId, RoleId, TenantId, UserId } from '@libs/domain';
import type { Invitation as InvitationEntity } from '../entities/invitation.entity.js';
import type { Tenant } from '../entities/tenant.entity.js';
import type { Division } from '../entities/division.entity.js';
import type { User } from '../entities/user.entity.js';

export const INVITATION_STATUSES = ['pending', 'accepted', 'rejected', 'expired'] as const;
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

/**
 * An invitation with its status at this instant. After its expiry the status is `expired`, even if the row is not updated yet.
 */
export interface Invitation extends Pick<
  InvitationEntity,
  'id' | 'tenant_id' | 'email' | 'division_id' | 'expires_at' | 'created_at'
> {
  tenant_name: Tenant['name'];
  division_name: Division['name'] | null;
  /** False when the division was deleted after the invitation. */
  is_division_alive: boolean;
  /** Only roles that still exist. */
  roles: { id: RoleId; name: string }[];
  status: InvitationStatus;
  inviter_name: User['name'];
}

/** A pending invitation from the view of its sender. */
export interface SentInvitation extends Invitation {
  inviter_id: UserId;
  /** The permissions of its roles. */
  trees: PermissionTree[];
}

/** The values of a new invitation. It is valid for seven days. */
export interface NewInvitation {
  tenantId: TenantId;
  email: string;
  divisionId: DivisionId | null;
  roleIds: readonly RoleId[];
  inviterId: UserId;
}

/** The invitations that a caller may see. A caller with one division sees only invitations into it. */
export interface InvitationScope {
  tenantId: TenantId;
  divisionScope: DivisionId | null;
}
