import { Injectable } from '@nestjs/common';
import { DomainError, type InvitationId } from '@libs/domain';
import { Page, type ActingCaller } from '@libs/http';
import { InvitationsRepository, type Invitation } from '@libs/persistence/organization';
import { Enrolment } from '../members/index.js';
import { TenantEntitlements } from '../tenants/index.js';
import type { ReceivedInvitationView } from './dto/invitation.view.js';
import type { ListInvitationsQuery } from './dto/list-invitations.query.js';
import { InvitationAnnouncements, contextOf } from './invitation-announcements.js';
import { toReceivedView } from './to-invitation-view.js';

/** Invitations for the invited user: only those to the verified address of the session. */
@Injectable()
export class ReceivedInvitationsService {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly entitlements: TenantEntitlements,
    private readonly enrolment: Enrolment,
    private readonly announcements: InvitationAnnouncements,
  ) {}

  async list(actor: ActingCaller, query: ListInvitationsQuery): Promise<Page<ReceivedInvitationView>> {
    return Page.of(
      await this.invitations.listTo(actor.session.email, query.status ?? null, query),
      toReceivedView,
      query,
    );
  }

  /** @throws DomainError invitation_not_found */
  async get(actor: ActingCaller, id: InvitationId): Promise<ReceivedInvitationView> {
    return toReceivedView(found(await this.invitations.findTo(actor.session.email, id)));
  }

  /** @throws DomainError invitation_not_found, invitation_expired, state_conflict, plan_limit_reached */
  async accept(actor: ActingCaller, id: InvitationId): Promise<void> {
    const candidate = found(await this.invitations.findTo(actor.session.email, id));
    // Locks the tenant first, like all other code. Of two concurrent accepts, the second finds the invitation answered.
    await this.entitlements.lock(candidate.tenant_id);
    const invitation = await this.lockPending(actor, id);
    if (!invitation.is_division_alive)
      throw new DomainError('state_conflict', 'The division of the invitation was deleted.');
    await this.invitations.answer(invitation.tenant_id, id, 'accepted');
    await this.enrolment.enrol(actor, {
      user: actor.caller.user,
      email: actor.session.email,
      context: contextOf(invitation),
      roleIds: invitation.roles.map((role) => role.id),
    });
    await this.announcements.accepted(actor, invitation);
  }

  /** @throws DomainError invitation_not_found, invitation_expired, state_conflict */
  async reject(actor: ActingCaller, id: InvitationId): Promise<void> {
    const invitation = await this.lockPending(actor, id);
    await this.invitations.answer(invitation.tenant_id, id, 'rejected');
    await this.announcements.rejected(actor, invitation);
  }

  private async lockPending(actor: ActingCaller, id: InvitationId): Promise<Invitation> {
    const invitation = found(await this.invitations.findToForUpdate(actor.session.email, id));
    const { status } = invitation;
    if (status === 'expired') throw new DomainError('invitation_expired', 'The invitation expired after seven days.');
    if (status !== 'pending')
      throw new DomainError('state_conflict', `The invitation is already ${status}.`, { members: { state: status } });
    return invitation;
  }
}

function found(invitation: Invitation | null): Invitation {
  if (!invitation) throw new DomainError('invitation_not_found', 'Your address has no such invitation.');
  return invitation;
}
