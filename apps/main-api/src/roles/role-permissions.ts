import { Injectable } from '@nestjs/common';
import { requireWithin } from '@libs/catalog';
import { DomainError, readPermissionTree, type PermissionTree, type DivisionId } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { RolesRepository } from '@libs/persistence/organization';
import { type TenantEntitlement } from '../tenants/index.js';

/** Reads the permissions that a request gives to a role or a key. */
@Injectable()
export class RolePermissions {
  constructor(private readonly roles: RolesRepository) {}

  /** @throws DomainError validation_failed */
  read(input: unknown): PermissionTree {
    return readPermissionTree(input, '/permissions');
  }

  /**
   * The divisions and environments that the tree names must exist for the caller. The plan limits the number of
   * divisions in one role.
   * @throws DomainError division_not_found, environment_not_found, plan_limit_reached
   */
  async requirePlaces(actor: ActingCaller, tree: PermissionTree, entitlements: TenantEntitlement): Promise<void> {
    const named = Object.entries(tree.divisions);
    if (named.length === 0) return;
    const divisions = named.map(([id]) => Number(id));
    const environments = named.flatMap(([division, { environments: permissionsById }]) =>
      Object.keys(permissionsById).map((id) => ({ id: Number(id), division: Number(division) })),
    );
    const ids = environments.map(({ id }) => id);
    const living = await this.roles.existingScopes(actor.tenantId, divisions, ids);
    const { divisionScope } = actor.caller.holding;
    const isHidden = (id: DivisionId): boolean => divisionScope !== null && divisionScope !== id;
    if (divisions.some((id) => isHidden(id) || !living.divisions.has(id)))
      throw new DomainError('division_not_found', 'The permissions name a division that does not exist.');
    if (environments.some(({ id, division }) => living.environments.get(id) !== division))
      throw new DomainError('environment_not_found', 'The permissions name an environment that does not exist.');
    requireWithin(entitlements, 'divisions_per_role_limit', divisions.length);
  }
}
