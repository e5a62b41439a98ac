import { Injectable } from '@nestjs/common';
import { DomainError, grantsOf } from '@libs/domain';
import { Page, type ActingCaller, type PageQuery } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { Database } from '@libs/persistence';
import { MembersRepository, RolesRepository, type Member, type Role } from '@libs/persistence/organization';
import { toMemberView, type MemberView } from '../members/index.js';
import { requireHeld, scopeOf, tenantWide } from '../platform/index.js';
import type { RoleMembersDto } from './dto/role-members.dto.js';

type Named = Pick<Member, 'id' | 'name' | 'owner'>;

/** Who has which role. */
@Injectable()
export class RoleMembersService {
  private readonly roles: RolesRepository;
  private readonly members: MembersRepository;

  constructor(
    database: Database,
    private readonly ledger: Ledger,
  ) {
    this.roles = new RolesRepository(database);
    this.members = new MembersRepository(database);
  }

  async list(actor: ActingCaller, roleId: number, query: PageQuery): Promise<Page<MemberView>> {
    requireAssignable(await this.roles.find(actor.tenantId, roleId));
    const { items, total } = await this.members.listByRole(scopeOf(actor), roleId, query);
    return new Page(items.map(toMemberView), total, query);
  }

  /** @throws DomainError insufficient_permissions, member_not_found */
  async assign(actor: ActingCaller, roleId: number, { members }: RoleMembersDto): Promise<void> {
    const role = requireAssignable(await this.roles.findForUpdate(actor.tenantId, roleId));
    requireHeld(actor, grantsOf(role.permissions, null));
    const named = await this.lock(actor, members);
    const changed = await this.members.assign(actor.tenantId, members, roleId);
    await this.record(actor, 'role_assigned', role, named, changed);
  }

  /** @throws DomainError member_not_found, state_conflict for the owner's own role */
  async revoke(actor: ActingCaller, roleId: number, { members }: RoleMembersDto): Promise<void> {
    const role = requireAssignable(await this.roles.findForUpdate(actor.tenantId, roleId));
    const named = await this.lock(actor, members);
    if (role.kind === 'system' && role.name === 'owner' && named.some(({ owner }) => owner))
      throw new DomainError('state_conflict', 'The owner of the tenant keeps the role of the owner.');
    const changed = await this.members.revoke(actor.tenantId, members, roleId);
    await this.record(actor, 'role_revoked', role, named, changed);
  }

  private async lock(actor: ActingCaller, ids: readonly number[]): Promise<Named[]> {
    const named = await this.members.lockMany(scopeOf(actor), ids);
    if (named.length === ids.length) return named;
    const missing = ids.find((id) => !named.some((member) => member.id === id));
    throw new DomainError('member_not_found', `${missing} is no member of the tenant.`);
  }

  /** One entry for each member whose roles changed. */
  private async record(
    actor: ActingCaller,
    audit: 'role_assigned' | 'role_revoked',
    role: Role,
    members: readonly Named[],
    changed: readonly number[],
  ): Promise<void> {
    const common = { audit, author: actor.author, place: tenantWide(actor), traceId: actor.traceId };
    const data = { role_id: role.id, role_name: role.name };
    for (const { id, name } of members.filter((member) => changed.includes(member.id)))
      await this.ledger.record({ ...common, user: { id, name }, data });
  }
}

/** Roles that were made for one key are nobody else's. */
function requireAssignable(role: Role | null): Role {
  if (!role || role.kind === 'api_key') throw new DomainError('role_not_found', 'No such role for members.');
  return role;
}
