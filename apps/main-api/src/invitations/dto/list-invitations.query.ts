import { IsOneOf, Optional, TimedListQuery } from '@libs/http';
import { INVITATION_STATUSES, type InvitationStatus } from '@libs/persistence/organization';

/** Filters of invitations. */
export class ListInvitationsQuery extends TimedListQuery {
  @Optional()
  @IsOneOf(INVITATION_STATUSES, 'Only those with this status.')
  status?: InvitationStatus;
}
