import { Injectable } from '@nestjs/common';
import { DomainError, grantsOf, type RoleId, type UserId } from '@libs/domain';
import { Page, type ActingCaller, type NamedListQuery } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { MembersRepository, RolesRepository, type Member, type Role } from '@libs/persistence/organization';
import {
  InvitationWithdrawal,
  requireAnother,
  requireNoOwnerRole,
  toMemberView,
  type MemberView,
} from '../members/index.js';
import { requireHeld, scopeOf, tenantWide } from '../platform/index.js';
import { TenantEntitlements } from '../tenants/index.js';
import type { RoleMembersDto } from './dto/role-members.dto.js';

type Named = Pick<Member, 'id' | 'name' | 'owner'>;

/** The members of roles. */
@Injectable()
export class RoleMembersService {
  constructor(
    private readonly roles: RolesRepository,
    private readonly members: MembersRepository,
    private readonly entitlements: TenantEntitlements,
    private readonly invitations: InvitationWithdrawal,
    private readonly ledger: Ledger,
  ) {}

  async list(actor: ActingCaller, roleId: RoleId, query: NamedListQuery): Promise<Page<MemberView>> {
    requireAssignable(await this.roles.find(scopeOf(actor), roleId));
    return Page.of(await this.members.listByRole(scopeOf(actor), roleId, query), toMemberView, query);
  }

  /** @throws DomainError insufficient_permissions, member_not_found, owner_required, state_conflict */
  async assign(actor: ActingCaller, roleId: RoleId, { members }: RoleMembersDto): Promise<void> {
    const role = await this.hold(actor, roleId);
    requireHeld(actor, grantsOf(role.permissions, null));
    const named = await this.lock(actor, members);
    requireNoOwnerRole([role]);
    const changed = await this.members.assign(actor.tenantId, members, roleId);
    await this.record(actor, 'role_assigned', role, named, changed);
  }

  /** @throws DomainError member_not_found, owner_required, state_conflict */
  async revoke(actor: ActingCaller, roleId: RoleId, { members }: RoleMembersDto): Promise<void> {
    const role = await this.hold(actor, roleId);
    const named = await this.lock(actor, members);
    const changed = await this.members.revoke(actor.tenantId, members, roleId);
    await this.record(actor, 'role_revoked', role, named, changed);
    await this.invitations.withdraw(actor, actor.tenantId, changed);
  }

  /** Locks the role and the tenant: no invitation is accepted and no role is given until the transaction ends. */
  private async hold(actor: ActingCaller, roleId: RoleId): Promise<Role> {
    await this.entitlements.lock(actor.tenantId);
    return requireAssignable(await this.roles.findForUpdate(scopeOf(actor), roleId));
  }

  /** Locks all named members. Refuses the caller and the owner. */
  private async lock(actor: ActingCaller, ids: readonly UserId[]): Promise<Named[]> {
    const named = await this.members.findManyForUpdate(scopeOf(actor), ids);
    const missing = ids.find((id) => !named.some((member) => member.id === id));
    if (missing !== undefined) throw new DomainError('member_not_found', `${missing} is not a member of the tenant.`);
    for (const member of named) requireAnother(actor, member);
    return named;
  }

  /** Records one entry for each member whose roles changed. */
  private async record(
    actor: ActingCaller,
    audit: 'role_assigned' | 'role_revoked',
    role: Role,
    members: readonly Named[],
    changed: readonly UserId[],
  ): Promise<void> {
    const common = { audit, author: actor.author, context: tenantWide(actor), traceId: actor.traceId };
    const data = { role_id: role.id, role_name: role.name };
    for (const { id, name } of members.filter((member) => changed.includes(member.id)))
      await this.ledger.record({ ...common, user: { id, name }, data });
  }
}

/** A role that was made for one key cannot be given to members. */
function requireAssignable(role: Role | null): Role {
  if (!role || role.kind === 'api_key') throw new DomainError('role_not_found', 'No such role for members.');
  return role;
}
