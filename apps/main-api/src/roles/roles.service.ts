import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { requireBelowLimit } from '@libs/catalog';
import {
  DomainError,
  grantsAdded,
  grantsOf,
  type Precondition,
  requireFreeName,
  Written,
  type RoleId,
} from '@libs/domain';
import { Page, requireUnchanged, type ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { MembersRepository, RolesRepository, type Role } from '@libs/persistence/organization';
import { InvitationWithdrawal } from '../members/index.js';
import { requireHeld, scopeOf, tenantWide } from '../platform/index.js';
import { TenantEntitlements } from '../tenants/index.js';
import type { ListRolesQuery } from './dto/list-roles.query.js';
import type { CreateRoleDto, UpdateRoleDto } from './dto/role.dto.js';
import type { RoleView } from './dto/role.view.js';
import { RolePermissions } from './role-permissions.js';

@Injectable()
export class RolesService {
  constructor(
    private readonly roles: RolesRepository,
    private readonly members: MembersRepository,
    private readonly permissions: RolePermissions,
    private readonly entitlements: TenantEntitlements,
    private readonly invitations: InvitationWithdrawal,
    private readonly ledger: Ledger,
  ) {}

  async list(actor: ActingCaller, query: ListRolesQuery): Promise<Page<RoleView>> {
    const kinds = query.kind ? [query.kind] : (['system', 'custom'] as const);
    return Page.of(await this.roles.list(scopeOf(actor), { kinds, name: query.name ?? null }, query), toView, query);
  }

  async get(actor: ActingCaller, id: RoleId): Promise<RoleView> {
    return toView(found(await this.roles.find(scopeOf(actor), id)));
  }

  /** @throws DomainError insufficient_permissions, name_taken, plan_limit_reached */
  async create(actor: ActingCaller, dto: CreateRoleDto): Promise<Written<RoleView>> {
    const tree = this.permissions.read(dto.permissions);
    const entitlements = await this.entitlements.lock(actor.tenantId);
    await this.permissions.requirePlaces(actor, tree, entitlements);
    requireHeld(actor, grantsOf(tree, null));
    await this.requireFreeName(actor, dto.name, null);
    requireBelowLimit(entitlements, 'roles_limit', await this.roles.countCustom(actor.tenantId));
    const role = await this.roles.insert(actor.tenantId, dto.name, 'custom', tree);
    await this.record(actor, 'role_created', { role_id: role.id, name: role.name, permissions: tree });
    return new Written(toView(role), { role: role.id });
  }

  /** @throws DomainError system_role_immutable, insufficient_permissions, name_taken, precondition_failed */
  async update(actor: ActingCaller, id: RoleId, dto: UpdateRoleDto, precondition: Precondition): Promise<void> {
    const tree = dto.permissions === undefined ? null : this.permissions.read(dto.permissions);
    const entitlements = await this.entitlements.lock(actor.tenantId);
    const role = found(await this.roles.findForUpdate(scopeOf(actor), id));
    precondition.require(toView(role));
    requireUnchanged(dto, toView(role));
    const next = { name: dto.name ?? role.name, permissions: tree ?? role.permissions };
    const previous = { name: role.name, permissions: role.permissions };
    if (isDeepStrictEqual(next, previous)) return;
    requireCustom(role);
    if (tree) await this.permissions.requirePlaces(actor, tree, entitlements);
    requireEditable(actor, role);
    requireHeld(actor, grantsAdded(role.permissions, next.permissions));
    if (role.kind === 'custom') await this.requireFreeName(actor, next.name, id);
    await this.roles.update(actor.tenantId, id, next.name, next.permissions);
    await this.record(actor, 'role_updated', { role_id: id, ...next, previous });
    await this.invitations.withdraw(actor, actor.tenantId, await this.members.idsWithRole(actor.tenantId, id));
  }

  /** @throws DomainError system_role_immutable, insufficient_permissions, not_empty, precondition_failed */
  async delete(actor: ActingCaller, id: RoleId, precondition: Precondition): Promise<void> {
    await this.entitlements.lock(actor.tenantId);
    const role = found(await this.roles.findForUpdate(scopeOf(actor), id));
    precondition.require(toView(role));
    requireCustom(role);
    requireEditable(actor, role);
    const { keys, members } = await this.roles.holders(actor.tenantId, id);
    if (keys + members > 0)
      throw new DomainError('not_empty', `${keys} API keys and ${members} members still have the role.`, {
        members: { api_keys: keys, members_count: members },
      });
    await this.roles.delete(actor.tenantId, id);
    await this.record(actor, 'role_deleted', { role_id: id, name: role.name });
  }

  private async requireFreeName(actor: ActingCaller, name: string, ownId: RoleId | null): Promise<void> {
    const id = await this.roles.findIdByName(actor.tenantId, name);
    requireFreeName('role', name, { id, own: ownId, isReadable: () => true });
  }

  private async record(
    actor: ActingCaller,
    audit: 'role_created' | 'role_updated' | 'role_deleted',
    data: object,
  ): Promise<void> {
    const context = tenantWide(actor);
    await this.ledger.record({ audit, author: actor.author, context, data, traceId: actor.traceId });
  }
}

/**
 * A caller with a division scope can change only roles whose whole tree the caller holds, because members and keys
 * outside of the division may have the role. For a role that was made for one key, every caller must hold the whole
 * tree, because the role is as powerful as the key.
 * @throws DomainError insufficient_permissions
 */
function requireEditable(actor: ActingCaller, { kind, permissions }: Role): void {
  const { divisionScope } = actor.caller.holding;
  if (kind === 'api_key') requireHeld(actor, grantsOf(permissions, divisionScope));
  else if (divisionScope !== null) requireHeld(actor, grantsOf(permissions, null));
}

function requireCustom({ kind, name }: Role): void {
  if (kind === 'system')
    throw new DomainError('system_role_immutable', `${name} is a system role, which is the same in every tenant.`);
}

function found(role: Role | null): Role {
  if (!role) throw new DomainError('role_not_found', 'No such role.');
  return role;
}

const toView = ({ id, name, kind, permissions, created_at }: Role): RoleView => ({
  id,
  name,
  kind,
  permissions,
  created_at: created_at.toISOString(),
});
