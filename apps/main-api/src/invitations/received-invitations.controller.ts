import { Get, Put, Query } from '@nestjs/common';
import type { InvitationId } from '@libs/domain';
import {
  Actor,
  FailsWith,
  Lists,
  PathId,
  Reads,
  Routes,
  SESSION,
  WithinPlan,
  Writes,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { ReceivedInvitationView } from './dto/invitation.view.js';
import { ListInvitationsQuery } from './dto/list-invitations.query.js';
import { ReceivedInvitationsService } from './received-invitations.service.js';

@Routes('account/invitations', 'Account', { invitation_id: 'An invitation to the address of the session.' })
export class ReceivedInvitationsController {
  constructor(private readonly invitations: ReceivedInvitationsService) {}

  /** Lists the invitations to the address of the session, of all tenants. */
  @Get()
  @Lists(SESSION, ReceivedInvitationView)
  list(@Actor() actor: ActingCaller, @Query() query: ListInvitationsQuery): Promise<Page<ReceivedInvitationView>> {
    return this.invitations.list(actor, query);
  }

  /** Reads one of them. */
  @Get(':invitation_id')
  @Reads(SESSION, ReceivedInvitationView)
  get(@Actor() actor: ActingCaller, @PathId() id: InvitationId): Promise<ReceivedInvitationView> {
    return this.invitations.get(actor, id);
  }

  /** Becomes a member, as the invitation says. */
  @Put(':invitation_id/accept')
  @Writes(SESSION, 'invitation_accepted')
  @WithinPlan('members_limit')
  @FailsWith('invitation_expired', 'state_conflict')
  accept(@Actor() actor: ActingCaller, @PathId() id: InvitationId): Promise<void> {
    return this.invitations.accept(actor, id);
  }

  /** Declines the invitation. */
  @Put(':invitation_id/reject')
  @Writes(SESSION, 'invitation_rejected')
  @FailsWith('invitation_expired', 'state_conflict')
  reject(@Actor() actor: ActingCaller, @PathId() id: InvitationId): Promise<void> {
    return this.invitations.reject(actor, id);
  }
}
