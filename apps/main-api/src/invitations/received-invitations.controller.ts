import { Controller, Get, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { InvitationId } from '@libs/domain';
import {
  Actor,
  Audited,
  FailsWith,
  Idempotent,
  idParameter,
  NoContent,
  PathId,
  Returns,
  ReturnsPageOf,
  SessionOnly,
  WithinPlan,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { ReceivedInvitationView } from './dto/invitation.view.js';
import { ListInvitationsQuery } from './dto/list-invitations.query.js';
import { ReceivedInvitationsService } from './received-invitations.service.js';

const MINE = 'An invitation to the address of the session.';

@ApiTags('Account')
@Controller('account/invitations')
export class ReceivedInvitationsController {
  constructor(private readonly invitations: ReceivedInvitationsService) {}

  /** Lists the invitations to the address of the session, of all tenants. */
  @Get()
  @SessionOnly()
  @ReturnsPageOf(ReceivedInvitationView)
  @FailsWith('validation_failed')
  list(@Actor() actor: ActingCaller, @Query() query: ListInvitationsQuery): Promise<Page<ReceivedInvitationView>> {
    return this.invitations.list(actor, query);
  }

  /** Reads one of them. */
  @Get(':invitation_id')
  @SessionOnly()
  @idParameter('invitation_id', MINE)
  @Returns(ReceivedInvitationView)
  @FailsWith('invitation_not_found')
  get(@Actor() actor: ActingCaller, @PathId('invitation_id') id: InvitationId): Promise<ReceivedInvitationView> {
    return this.invitations.get(actor, id);
  }

  /** Becomes a member, as the invitation says. */
  @Put(':invitation_id/accept')
  @SessionOnly()
  @Idempotent()
  @Audited('invitation_accepted')
  @idParameter('invitation_id', MINE)
  @NoContent()
  @WithinPlan('members_limit')
  @FailsWith('invitation_not_found', 'invitation_expired', 'state_conflict')
  accept(@Actor() actor: ActingCaller, @PathId('invitation_id') id: InvitationId): Promise<void> {
    return this.invitations.accept(actor, id);
  }

  /** Declines the invitation. */
  @Put(':invitation_id/reject')
  @SessionOnly()
  @Idempotent()
  @Audited('invitation_rejected')
  @idParameter('invitation_id', MINE)
  @NoContent()
  @FailsWith('invitation_not_found', 'invitation_expired', 'state_conflict')
  reject(@Actor() actor: ActingCaller, @PathId('invitation_id') id: InvitationId): Promise<void> {
    return this.invitations.reject(actor, id);
  }
}
