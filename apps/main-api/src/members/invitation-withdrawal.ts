import { Injectable } from '@nestjs/common';
import { findGrant, missingToGive, type Holding, type TenantId, type UserId } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { InvitationsRepository, MembersRepository, type SentInvitation } from '@libs/persistence/organization';

/**
 * Cancels invitations of a demoted or removed member if that member could not send them now. Otherwise a removed admin
 * could come back by an invitation to an address of their own.
 */
@Injectable()
export class InvitationWithdrawal {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly members: MembersRepository,
    private readonly ledger: Ledger,
  ) {}

  /**
   * Call it after the demotion and in its transaction, with the lock of the tenant: no invitation of the tenant can be
   * accepted during that time.
   */
  async withdraw(actor: ActingCaller, tenantId: TenantId, inviterIds: readonly UserId[]): Promise<void> {
    const invitations = inviterIds.length === 0 ? [] : await this.invitations.pendingOf(tenantId, inviterIds);
    if (invitations.length === 0) return;
    const holdings = await this.members.holdings(tenantId, inviterIds);
    const lost = invitations.filter((invitation) => !maySend(holdings.get(invitation.inviter_id), invitation));
    const cancelled = await this.invitations.cancel(
      tenantId,
      lost.map(({ id }) => id),
    );
    for (const invitation of lost) if (cancelled.includes(invitation.id)) await this.record(actor, invitation);
  }

  private async record(actor: ActingCaller, invitation: SentInvitation): Promise<void> {
    const { email, roles, division_id: id, division_name: name, inviter_id, inviter_name } = invitation;
    await this.ledger.record({
      audit: 'invitation_cancelled',
      author: actor.author,
      context: {
        tenantId: invitation.tenant_id,
        division: id === null ? null : { id, name: name ?? '' },
        environment: null,
        deployment: null,
      },
      user: { id: inviter_id, name: inviter_name },
      data: { email, roles: roles.map((role) => role.name), status: 'pending', reason: 'inviter_lost_permissions' },
      traceId: actor.traceId,
    });
  }
}

/** Whether a member with this holding could send the invitation now. A user who is not an active member has no holding. */
const maySend = (holding: Holding | undefined, { trees, division_id: divisionId }: SentInvitation): boolean =>
  holding !== undefined &&
  findGrant(holding, 'member:manage', {}) !== null &&
  trees.every((tree) => missingToGive(holding, tree, divisionId) === null);
