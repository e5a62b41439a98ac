import type { DivisionId } from '../ids.js';
import {
  EMPTY_TREE,
  findGrant,
  WHOLE_TENANT,
  type Holding,
  type PermissionTree,
  type PermissionScope,
} from './permission-tree.js';
import { PERMISSIONS, type Permission } from './permissions.js';
import { SYSTEM_ROLE_TREES, type SystemRole } from './system-roles.js';

/** One permission at one scope: the smallest unit that a role grants. */
export interface Grant {
  readonly permission: Permission;
  readonly scope: PermissionScope;
}

/** An id that no exact grant names. A permission held at this id is held at every such scope, including future ones. */
const ANY_ID = -1;

/**
 * Lists every grant of a role with this tree for a holder with this scope. A giver that has all these grants gives
 * nothing that the giver lacks (C-5.10).
 */
export function grantsOf(tree: PermissionTree, divisionScope: DivisionId | null): Grant[] {
  const divisionId = divisionScope ?? ANY_ID;
  const anyDivision = [{ divisionId }, { divisionId, environmentId: ANY_ID }];
  const anyEnvironment = [{ divisionId, environmentId: ANY_ID }];
  return [
    ...tree.tenant
      .map((permission) => held(permission, divisionScope))
      .flatMap((permission) => grantsAt(permission, tenantScopes(permission, divisionScope, anyDivision))),
    ...tree.division.flatMap((permission) => grantsAt(permission, anyDivision)),
    ...tree.environment.flatMap((permission) => grantsAt(permission, anyEnvironment)),
    ...exactGrants(tree, divisionScope),
  ];
}

/** Returns the first of the grants that the holder lacks, or null. */
export function firstMissing(holding: Holding, grants: readonly Grant[]): Grant | null {
  return grants.find(({ permission, scope }) => findGrant(holding, permission, scope) === null) ?? null;
}

/**
 * Returns the first grant that the holder lacks to give this tree to a user of one division, or of all divisions. Null:
 * nothing is missing. A scoped holder gives only within its own scope. A tree without that scope would exceed the
 * holder with the next change of the role.
 */
export function missingToGive(holding: Holding, tree: PermissionTree, divisionId: DivisionId | null): Grant | null {
  const grants = grantsOf(tree, divisionId);
  const isOutside = holding.divisionScope !== null && holding.divisionScope !== divisionId;
  return isOutside ? (grants[0] ?? null) : firstMissing(holding, grants);
}

/**
 * Returns the first grant of a system role that the holder lacks. Null: the holder has all grants of the role, through
 * any role.
 */
export const missingOfRole = (holding: Holding, role: SystemRole): Grant | null =>
  firstMissing(holding, grantsOf(SYSTEM_ROLE_TREES[role], null));

/** Lists the grants that `next` adds to `current` for holders without a scope. The editor of the role must have them. */
export function grantsAdded(current: PermissionTree, next: PermissionTree): Grant[] {
  const before: Holding = { trees: [{ ...EMPTY_TREE, ...current }], divisionScope: null };
  return grantsOf(next, null).filter(({ permission, scope }) => findGrant(before, permission, scope) === null);
}

const grantsAt = (permission: Permission, scopes: readonly PermissionScope[]): Grant[] =>
  scopes.map((scope) => ({ permission, scope }));

/** A scoped holder has only `:read` of a permission that changes the whole tenant. */
function held(permission: Permission, divisionScope: DivisionId | null): Permission {
  const isNarrowed = divisionScope !== null && WHOLE_TENANT.includes(permission);
  return isNarrowed ? (permission.replace(/:manage$/, ':read') as Permission) : permission;
}

/**
 * On the tenant itself, a scoped holder has only the permissions that exist nowhere else. The other permissions apply
 * in its division. Of tenant-only data (audit, billing) the holder sees the part of its division. Another scope would
 * see more.
 */
function tenantScopes(
  permission: Permission,
  divisionScope: DivisionId | null,
  below: readonly PermissionScope[],
): PermissionScope[] {
  const isTenantOnly = PERMISSIONS[permission].groups.length === 1;
  if (isTenantOnly) return [{}, { divisionId: divisionScope ?? ANY_ID }];
  return divisionScope === null ? [{}, ...below] : [...below];
}

function exactGrants(tree: PermissionTree, divisionScope: DivisionId | null): Grant[] {
  return Object.entries(tree.divisions)
    .map(([id, grant]) => ({ divisionId: Number(id), grant }))
    .filter(({ divisionId }) => divisionScope === null || divisionScope === divisionId)
    .flatMap(({ divisionId, grant }) => [
      ...grant.permissions.flatMap((one) => grantsAt(one, [{ divisionId }, { divisionId, environmentId: ANY_ID }])),
      ...grant.environment.flatMap((one) => grantsAt(one, [{ divisionId, environmentId: ANY_ID }])),
      ...Object.entries(grant.environments).flatMap(([environment, permissions]) =>
        permissions.flatMap((one) => grantsAt(one, [{ divisionId, environmentId: Number(environment) }])),
      ),
    ]);
}
