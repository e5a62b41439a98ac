import { Injectable } from '@nestjs/common';
import { DomainError, mergeTrees, type Precondition, type UserId } from '@libs/domain';
import { Page, requireUnchanged, type ActingCaller } from '@libs/http';
import { MembersRepository, RolesRepository, type Member, type Role } from '@libs/persistence/organization';
import { scopeOf } from '../platform/index.js';
import { TenantEntitlements } from '../tenants/index.js';
import type { ListMembersQuery } from './dto/list-members.query.js';
import type { MemberPermissionsView } from './dto/member-permissions.view.js';
import type { MemberView } from './dto/member.view.js';
import type { UpdateMemberDto } from './dto/update-member.dto.js';
import { InvitationWithdrawal } from './invitation-withdrawal.js';
import { MemberRecords } from './member-records.js';
import { requireAnother, requireNotOwner } from './require-another.js';
import { requireNoOwnerRole, RoleGrants } from './role-grants.js';
import { toMemberView } from './to-member-view.js';

type NamedRole = Member['roles'][number];

/**
 * The members of a tenant and their roles. A caller with a division scope can read only the members that are limited to
 * that division.
 */
@Injectable()
export class MembersService {
  constructor(
    private readonly members: MembersRepository,
    private readonly roles: RolesRepository,
    private readonly entitlements: TenantEntitlements,
    private readonly grants: RoleGrants,
    private readonly records: MemberRecords,
    private readonly invitations: InvitationWithdrawal,
  ) {}

  async list(actor: ActingCaller, query: ListMembersQuery): Promise<Page<MemberView>> {
    return Page.of(
      await this.members.list(scopeOf(actor), { active: query.active ?? null, email: query.email ?? null }, query),
      toMemberView,
      query,
    );
  }

  /** @throws DomainError member_not_found */
  async get(actor: ActingCaller, id: UserId): Promise<MemberView> {
    return toMemberView(found(await this.members.find(scopeOf(actor), id)));
  }

  /**
   * Returns the permissions of the caller. A member has those of all roles together. A key has those that its owner has
   * too.
   */
  async permissions({ tenantId, caller }: ActingCaller): Promise<MemberPermissionsView> {
    const { key, user, holding } = caller;
    const roles = await (key ? this.roles.ofKey(tenantId, key.id) : this.roles.ofMember(tenantId, user.id));
    return {
      roles: roles.map(({ id, name }) => ({ id, name })),
      permissions: mergeTrees(holding.trees),
      division_scope: holding.divisionScope,
    };
  }

  /** @throws DomainError member_not_found, role_not_found, insufficient_permissions, owner_required, state_conflict, precondition_failed */
  async update(actor: ActingCaller, id: UserId, dto: UpdateMemberDto, precondition: Precondition): Promise<void> {
    const member = await this.lock(actor, id);
    precondition.require(toMemberView(member));
    requireUnchanged(dto, toMemberView(member));
    const active = dto.active ?? member.active;
    const roles = dto.roles ? await this.grants.find(actor, dto.roles) : null;
    const isOtherState = active !== member.active;
    const isOtherRoles = roles !== null && !hasSame(roles, member.roles);
    if (!isOtherState && !isOtherRoles) return;
    await this.requireGivable(actor, member, { active, roles });
    requireAnother(actor, member);
    requireNoOwnerRole(roles ?? []);
    if (isOtherState) await this.members.setActive(actor.tenantId, id, active);
    if (isOtherRoles)
      await this.members.setRoles(
        actor.tenantId,
        id,
        roles.map((role) => role.id),
      );
    await this.records.updated(actor, member, {
      ...(isOtherState && { active }),
      ...(isOtherRoles && { roles: roles.map(({ id: roleId, name }) => ({ id: roleId, name })) }),
    });
    await this.invitations.withdraw(actor, actor.tenantId, [id]);
  }

  /**
   * Ends a membership and deletes the keys of the member.
   * @throws DomainError member_not_found, owner_required, state_conflict, precondition_failed
   */
  async remove(actor: ActingCaller, id: UserId, precondition: Precondition): Promise<void> {
    const member = await this.lock(actor, id);
    precondition.require(toMemberView(member));
    requireAnother(actor, member);
    const keys = await this.members.remove(actor.tenantId, id);
    await this.records.ended(actor, 'member_removed', member, keys);
    await this.invitations.withdraw(actor, actor.tenantId, [id]);
  }

  /** Ends the membership of the caller. @throws DomainError owner_required */
  async leave(actor: ActingCaller): Promise<void> {
    const member = await this.lock(actor, actor.caller.user.id);
    requireNotOwner(member);
    const keys = await this.members.remove(actor.tenantId, member.id);
    await this.records.ended(actor, 'member_left', member, keys);
    await this.invitations.withdraw(actor, actor.tenantId, [member.id]);
  }

  /** Locks the member and the tenant: no count of members and no role can change until the transaction ends. */
  private async lock(actor: ActingCaller, id: UserId): Promise<Member> {
    await this.entitlements.lock(actor.tenantId);
    return found(await this.members.findForUpdate(scopeOf(actor), id));
  }

  /**
   * A member who becomes active again gets all roles back, so all of them are checked. Otherwise only the added roles
   * are checked.
   */
  private async requireGivable(
    actor: ActingCaller,
    member: Member,
    next: { active: boolean; roles: Role[] | null },
  ): Promise<void> {
    const roles = next.roles ?? (await this.roles.ofMember(actor.tenantId, member.id));
    const isBack = next.active && !member.active;
    const newRoles = roles.filter(({ id }) => isBack || !member.roles.some((role) => role.id === id));
    this.grants.requireGivable(actor, newRoles, member.division_id);
  }
}

const hasSame = (some: readonly NamedRole[], others: readonly NamedRole[]): boolean =>
  some.length === others.length && some.every(({ id }) => others.some((other) => other.id === id));

function found(member: Member | null): Member {
  if (!member) throw new DomainError('member_not_found', 'No such member.');
  return member;
}
