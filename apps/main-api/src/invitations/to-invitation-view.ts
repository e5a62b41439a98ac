import type { Invitation } from '@libs/persistence/organization';
import type { InvitationView, ReceivedInvitationView } from './dto/invitation.view.js';

export const toInvitationView = (invitation: Invitation): InvitationView => ({
  id: invitation.id,
  email: invitation.email,
  division_id: invitation.division_id,
  roles: invitation.roles,
  status: invitation.status,
  expires_at: invitation.expires_at.toISOString(),
  created_at: invitation.created_at.toISOString(),
});

export const toReceivedView = (invitation: Invitation): ReceivedInvitationView => ({
  ...toInvitationView(invitation),
  tenant: { id: invitation.tenant_id, name: invitation.tenant_name },
  invited_by: invitation.inviter_name,
});
