import { Body, Delete, Get, Post, Query } from '@nestjs/common';
import {
  Actor,
  Creates,
  FailsWith,
  IfMatch,
  Lists,
  PathId,
  Reads,
  Routes,
  WithinPlan,
  Writes,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { Precondition, type Written, type InvitationId } from '@libs/domain';
import { CreateInvitationDto } from './dto/create-invitation.dto.js';
import { InvitationView } from './dto/invitation.view.js';
import { ListInvitationsQuery } from './dto/list-invitations.query.js';
import { InvitationsService } from './invitations.service.js';

@Routes('tenants/:tenant_id/invitations', 'Members', { invitation_id: 'An invitation of the tenant.' })
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  /**
   * Invites a user by mail. The invitation expires after seven days. A caller cannot grant permissions that the caller
   * does not hold. The limit of members is checked when the user accepts.
   */
  @Post()
  @Writes('member:manage', 'member_invited')
  @Creates(InvitationView, 'invitation')
  @WithinPlan('invitations_limit', 'pending_invitations_limit')
  @FailsWith('division_not_found', 'role_not_found', 'state_conflict')
  @FailsWith('invitee_domain_locked', 'invitee_domain_not_allowed', 'owner_required')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateInvitationDto): Promise<Written<InvitationView>> {
    return this.invitations.create(actor, dto);
  }

  /** Lists the invitations of the tenant and their answers. */
  @Get()
  @Lists('member:read', InvitationView)
  list(@Actor() actor: ActingCaller, @Query() query: ListInvitationsQuery): Promise<Page<InvitationView>> {
    return this.invitations.list(actor, query);
  }

  /** Reads one invitation. */
  @Get(':invitation_id')
  @Reads('member:read', InvitationView)
  get(@Actor() actor: ActingCaller, @PathId() id: InvitationId): Promise<InvitationView> {
    return this.invitations.get(actor, id);
  }

  /**
   * Cancels a pending invitation. The invitation counts against the limit of invitations for 30 more days. An answered
   * or expired invitation leaves the list and counts no longer.
   */
  @Delete(':invitation_id')
  @Writes('member:manage', 'invitation_cancelled', 'invitation_deleted')
  delete(
    @Actor() actor: ActingCaller,
    @PathId() id: InvitationId,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.invitations.delete(actor, id, precondition);
  }
}
