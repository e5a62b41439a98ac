import { Injectable } from '@nestjs/common';
import {
  DomainError,
  isDivisionVisible,
  type Precondition,
  Written,
  type DivisionId,
  type InvitationId,
} from '@libs/domain';
import { Page, type ActingCaller } from '@libs/http';
import { DivisionsRepository, InvitationsRepository, type Invitation } from '@libs/persistence/organization';
import { RoleGrants } from '../members/index.js';
import { scopeOf } from '../platform/index.js';
import { TenantEntitlements } from '../tenants/index.js';
import type { CreateInvitationDto } from './dto/create-invitation.dto.js';
import type { InvitationView } from './dto/invitation.view.js';
import type { ListInvitationsQuery } from './dto/list-invitations.query.js';
import { InvitationAnnouncements } from './invitation-announcements.js';
import { InvitationRules } from './invitation-rules.js';
import { toInvitationView } from './to-invitation-view.js';

/** Invitations for the tenant. A caller with a division scope can read only invitations to that division. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly divisions: DivisionsRepository,
    private readonly entitlements: TenantEntitlements,
    private readonly rules: InvitationRules,
    private readonly grants: RoleGrants,
    private readonly announcements: InvitationAnnouncements,
  ) {}

  async list(actor: ActingCaller, query: ListInvitationsQuery): Promise<Page<InvitationView>> {
    return Page.of(await this.invitations.list(scopeOf(actor), query.status ?? null, query), toInvitationView, query);
  }

  /** @throws DomainError invitation_not_found */
  async get(actor: ActingCaller, id: InvitationId): Promise<InvitationView> {
    return toInvitationView(found(await this.invitations.find(scopeOf(actor), id)));
  }

  /**
   * @throws DomainError division_not_found, role_not_found, insufficient_permissions, owner_required,
   * invitee_domain_locked, invitee_domain_not_allowed, state_conflict, plan_limit_reached
   */
  async create(actor: ActingCaller, { email, ...dto }: CreateInvitationDto): Promise<Written<InvitationView>> {
    const { tenantId } = actor;
    // Locks the tenant first, like all other code.
    const entitlements = await this.entitlements.lock(tenantId);
    const divisionId = await this.readDivision(actor, dto.division_id ?? null);
    const roles = await this.grants.ofNewcomer(actor, dto.roles, divisionId);
    await this.rules.requireInvitee(tenantId, email, entitlements);
    const roleIds = roles.map((role) => role.id);
    const id = await this.invitations.insert({ tenantId, email, divisionId, roleIds, inviterId: actor.caller.user.id });
    const invitation = found(await this.invitations.find(scopeOf(actor), id));
    await this.announcements.created(actor, invitation);
    return new Written(toInvitationView(invitation), { invitation: id });
  }

  /** Cancels a pending invitation, and removes any other from the list. @throws DomainError invitation_not_found, precondition_failed */
  async delete(actor: ActingCaller, id: InvitationId, precondition: Precondition): Promise<void> {
    const invitation = found(await this.invitations.findForUpdate(scopeOf(actor), id));
    precondition.require(toInvitationView(invitation));
    if (invitation.status === 'pending') await this.invitations.cancel(actor.tenantId, [id]);
    else await this.invitations.delete(actor.tenantId, id);
    await this.announcements.deleted(actor, invitation);
  }

  private async readDivision(actor: ActingCaller, id: DivisionId | null): Promise<DivisionId | null> {
    if (id === null) return null;
    const division = isDivisionVisible(actor.caller.holding, id) ? await this.divisions.find(actor.tenantId, id) : null;
    if (!division) throw new DomainError('division_not_found', 'No such division.');
    return division.id;
  }
}

function found(invitation: Invitation | null): Invitation {
  if (!invitation) throw new DomainError('invitation_not_found', 'No such invitation.');
  return invitation;
}
