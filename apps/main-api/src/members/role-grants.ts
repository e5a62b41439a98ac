import { Injectable } from '@nestjs/common';
import { DomainError, type DivisionId, type RoleId } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { RolesRepository, type Role } from '@libs/persistence/organization';
import { requireWithinReach } from '../platform/index.js';

/** The role of a new member when the request names no role. */
const DEFAULT_ROLE = 'viewer';

/** Roles that a request gives to users. A caller cannot give permissions that the caller does not hold. */
@Injectable()
export class RoleGrants {
  constructor(private readonly roles: RolesRepository) {}

  /**
   * Returns the roles with these ids, in the order of the ids, and locks them until the transaction ends. So no role
   * can get more permissions while it is given away.
   * @throws DomainError role_not_found, also for a role that was made for one key
   */
  async find(actor: ActingCaller, ids: readonly RoleId[]): Promise<Role[]> {
    const roles = ids.length === 0 ? [] : await this.roles.findAssignable(actor.tenantId, ids);
    const missing = ids.find((id) => !roles.some((role) => role.id === id));
    if (missing !== undefined)
      throw new DomainError('role_not_found', `Members cannot have the role ${missing}: no such role.`);
    return roles;
  }

  /**
   * Returns the roles of a new member: the named roles, or the role `viewer`.
   * @throws DomainError role_not_found, insufficient_permissions, owner_required
   */
  async ofNewcomer(
    actor: ActingCaller,
    ids: readonly RoleId[] | undefined,
    divisionId: DivisionId | null,
  ): Promise<Role[]> {
    const roles = await this.find(actor, ids?.length ? ids : await this.defaultIds(actor));
    this.requireGivable(actor, roles, divisionId);
    requireNoOwnerRole(roles);
    return roles;
  }

  /** @throws DomainError insufficient_permissions */
  requireGivable(actor: ActingCaller, roles: readonly Role[], divisionId: DivisionId | null): void {
    for (const role of roles) requireWithinReach(actor, role.permissions, divisionId);
  }

  private async defaultIds({ tenantId }: ActingCaller): Promise<RoleId[]> {
    const id = await this.roles.findIdByName(tenantId, DEFAULT_ROLE);
    return id === null ? [] : [id];
  }
}

/**
 * A tenant has exactly one owner. The role `owner` moves only by a transfer and is never given to a second member.
 * @throws DomainError owner_required
 */
export function requireNoOwnerRole(roles: readonly Pick<Role, 'kind' | 'name'>[]): void {
  if (roles.some(isOwnerRole))
    throw new DomainError('owner_required', 'The role owner moves only by a transfer of the tenant.');
}

const isOwnerRole = ({ kind, name }: Pick<Role, 'kind' | 'name'>): boolean => kind === 'system' && name === 'owner';
