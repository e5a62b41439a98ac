import { ApiNullableInteger, ApiTime, ApiId, Resource } from '@libs/http';
import { INVITATION_STATUSES } from '@libs/persistence/organization';
import { ApiProperty, OmitType } from '@nestjs/swagger';
import { NamedRoleView } from '../../members/index.js';

/** An invitation to become a member of a tenant (C-9.9). */
@Resource<InvitationView>({
  id: 'invitation_id',
  namedBy: 'email',
  columns: ['id', 'email', 'roles', 'division_id', 'status', 'created_at', 'expires_at'],
})
export class InvitationView {
  @ApiId('The invitation.')
  id: number;

  /** The address that the invitation was mailed to. */
  email: string;

  @ApiNullableInteger('Confines the member; null for all.')
  division_id: number | null;

  @ApiProperty({ type: [NamedRoleView], description: 'Roles of the invitation. Deleted roles are left out.' })
  roles: NamedRoleView[];

  /** State of the invitation. Only a `pending` invitation can be accepted or rejected. */
  @ApiProperty({ enum: [...INVITATION_STATUSES] })
  status: string;

  /** Time at which the invitation expires. */
  @ApiTime()
  expires_at: string;

  @ApiTime()
  created_at: string;
}

/** The tenant of an invitation. */
export class InvitingTenantView {
  @ApiId('The tenant.')
  id: number;

  name: string;
}

/** An invitation, as the invited user sees it. */
@Resource<ReceivedInvitationView>({
  id: 'invitation_id',
  columns: ['id', 'tenant', 'invited_by', 'roles', 'status', 'created_at', 'expires_at'],
})
export class ReceivedInvitationView extends OmitType(InvitationView, [] as const) {
  /** The tenant that the invitation is for. */
  @ApiProperty({ type: InvitingTenantView })
  tenant: InvitingTenantView;

  /** Name of the user who sent the invitation. */
  invited_by: string;
}
