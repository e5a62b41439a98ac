import {
  EMPTY_TREE,
  findGrant,
  WHOLE_TENANT,
  type Holding,
  type PermissionTree,
  type Place,
} from './permission-tree.js';
import { PERMISSIONS, type Permission } from './permissions.js';
import { SYSTEM_ROLE_TREES, type SystemRole } from './system-roles.js';

/** A permission at a place: the smallest thing that somebody can be given. */
export interface Grant {
  readonly permission: Permission;
  readonly place: Place;
}

/** An id that no exact grant names: who holds something there holds it wherever such a place exists, or comes to exist. */
const ANY_ID = -1;

/**
 * Everything that a role with this tree gives to a holder with this scope. Whoever holds all of it gives away nothing
 * that they do not have (C-5.10).
 */
export function grantsOf(tree: PermissionTree, divisionScope: number | null): Grant[] {
  const divisionId = divisionScope ?? ANY_ID;
  const anyDivision = [{ divisionId }, { divisionId, environmentId: ANY_ID }];
  const anyEnvironment = [{ divisionId, environmentId: ANY_ID }];
  return [
    ...tree.tenant
      .map((permission) => held(permission, divisionScope))
      .flatMap((permission) => at(permission, tenantPlaces(permission, divisionScope, anyDivision))),
    ...tree.division.flatMap((permission) => at(permission, anyDivision)),
    ...tree.environment.flatMap((permission) => at(permission, anyEnvironment)),
    ...exactGrants(tree, divisionScope),
  ];
}

/** The first of the grants that the holder lacks, or null. */
export function firstMissing(holding: Holding, grants: readonly Grant[]): Grant | null {
  return grants.find(({ permission, place }) => findGrant(holding, permission, place) === null) ?? null;
}

/**
 * What a holder lacks to give this tree to somebody who uses it in a division, or everywhere; null when nothing is missing.
 * A scoped holder gives things of its own scope only: one without would outgrow it with the next change of the role.
 */
export function missingToGive(holding: Holding, tree: PermissionTree, divisionId: number | null): Grant | null {
  const grants = grantsOf(tree, divisionId);
  const isOutside = holding.divisionScope !== null && holding.divisionScope !== divisionId;
  return isOutside ? (grants[0] ?? null) : firstMissing(holding, grants);
}

/** The first of the grants of a system role that the holder lacks; null for who may all that the role may, by whatever name. */
export const missingOfRole = (holding: Holding, role: SystemRole): Grant | null =>
  firstMissing(holding, grantsOf(SYSTEM_ROLE_TREES[role], null));

/** What `next` gives beyond `current`, to holders without a scope: what the editor of a role has to hold. */
export function grantsAdded(current: PermissionTree, next: PermissionTree): Grant[] {
  const before: Holding = { trees: [{ ...EMPTY_TREE, ...current }], divisionScope: null };
  return grantsOf(next, null).filter(({ permission, place }) => findGrant(before, permission, place) === null);
}

const at = (permission: Permission, places: readonly Place[]): Grant[] =>
  places.map((place) => ({ permission, place }));

/** Of a permission that changes the tenant as a whole a scoped holder has the reading alone. */
function held(permission: Permission, divisionScope: number | null): Permission {
  const isNarrowed = divisionScope !== null && WHOLE_TENANT.includes(permission);
  return isNarrowed ? (permission.replace(/:manage$/, ':read') as Permission) : permission;
}

/**
 * A scoped holder has on the tenant itself only what exists nowhere else; the rest it has in its division. Of what exists
 * nowhere else it sees the part of its division (audit, billing): another scope would see more.
 */
function tenantPlaces(permission: Permission, divisionScope: number | null, below: readonly Place[]): Place[] {
  const isTenantOnly = PERMISSIONS[permission].groups.length === 1;
  if (isTenantOnly) return [{}, { divisionId: divisionScope ?? ANY_ID }];
  return divisionScope === null ? [{}, ...below] : [...below];
}

function exactGrants(tree: PermissionTree, divisionScope: number | null): Grant[] {
  return Object.entries(tree.divisions)
    .map(([id, grant]) => ({ divisionId: Number(id), grant }))
    .filter(({ divisionId }) => divisionScope === null || divisionScope === divisionId)
    .flatMap(({ divisionId, grant }) => [
      ...grant.permissions.flatMap((one) => at(one, [{ divisionId }, { divisionId, environmentId: ANY_ID }])),
      ...grant.environment.flatMap((one) => at(one, [{ divisionId, environmentId: ANY_ID }])),
      ...Object.entries(grant.environments).flatMap(([environment, permissions]) =>
        permissions.flatMap((one) => at(one, [{ divisionId, environmentId: Number(environment) }])),
      ),
    ]);
}
