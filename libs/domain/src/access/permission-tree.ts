import type { DivisionId, EnvironmentId } from '../ids.js';
import { PERMISSIONS, satisfiedBy, type Permission } from './permissions.js';

/** Permissions for exactly one division: on the division, on all its environments, and on single environments. */
export interface DivisionGrant {
  permissions: Permission[];
  environment: Permission[];
  environments: Record<string, Permission[]>;
}

/** The permissions that a role grants (C-5.5): by group, and by exact division. */
export interface PermissionTree {
  tenant: Permission[];
  division: Permission[];
  environment: Permission[];
  divisions: Record<string, DivisionGrant>;
}

export const EMPTY_TREE: PermissionTree = { tenant: [], division: [], environment: [], divisions: {} };

/** The permissions of one caller: the trees of its roles, limited to one division for a scoped key. */
export interface Holding {
  readonly trees: readonly PermissionTree[];
  /** Null: every division of the tenant. */
  readonly divisionScope: DivisionId | null;
}

/** The scope in the tree of resources that needs a permission. Contains only the levels that the request addresses. */
export interface PermissionScope {
  readonly divisionId?: DivisionId;
  readonly environmentId?: EnvironmentId;
}

/** Why a holder has a permission: the group (or exact division), and the permission found there. */
export interface GrantVia {
  readonly group: string;
  readonly permission: Permission;
}

/** Permissions that change the whole tenant. No part of them belongs to a division, so a scoped holder never has them. */
export const WHOLE_TENANT: readonly Permission[] = ['info:manage', 'settings:manage', 'billing:manage'];

/**
 * Finds how `holding` grants `wanted` at `scope`, or returns null. A scoped holder (a key with a division) never
 * reaches outside its division. On the tenant itself it has only permissions that exist nowhere else: it reads the
 * tenant, but cannot create another division. It has no permission that changes the whole tenant.
 */
export function findGrant(holding: Holding, required: Permission, scope: PermissionScope): GrantVia | null {
  if (!isInScope(holding.divisionScope, required, scope.divisionId)) return null;
  const accepted = satisfiedBy(required);
  for (const tree of holding.trees) {
    for (const [group, permissions] of reaching(tree, scope)) {
      const permission = accepted.find((candidate) => permissions.includes(candidate));
      if (permission) return { group, permission };
    }
  }
  return null;
}

/** Whether the holder has `wanted` in any scope. Filtering lists and Discovery use this check. */
export function holdsAnywhere(holding: Holding, required: Permission): boolean {
  const accepted = satisfiedBy(required);
  const has = (permissions: readonly Permission[]): boolean =>
    accepted.some((candidate) => permissions.includes(candidate));
  return holding.trees.some((tree) => allGroups(tree).some(has));
}

/** The resources under `wanted` that the holder may see: the whole tenant, or whole divisions and single environments. */
export interface Reach {
  readonly all: boolean;
  readonly divisions: readonly DivisionId[];
  readonly environments: readonly EnvironmentId[];
}

/** Returns the scopes where the holder has `wanted`. Lists filter by them in SQL. */
export function reachOf(holding: Holding, required: Permission): Reach {
  const accepted = satisfiedBy(required);
  const has = (permissions: readonly Permission[]): boolean =>
    accepted.some((candidate) => permissions.includes(candidate));
  const isEverywhere = holding.trees.some((tree) => has(tree.tenant) || has(tree.division) || has(tree.environment));
  if (isEverywhere && holding.divisionScope === null) return { all: true, divisions: [], environments: [] };
  if (isEverywhere) return { all: false, divisions: [holding.divisionScope as number], environments: [] };
  const exact = holding.trees.flatMap((tree) => Object.entries(tree.divisions)).filter(([id]) => isScoped(holding, id));
  return {
    all: false,
    divisions: exact.filter(([, grant]) => has(grant.permissions) || has(grant.environment)).map(([id]) => Number(id)),
    environments: exact.flatMap(([, grant]) => environmentsWith(grant, has)),
  };
}

/** Whether the holder may see that the division exists. Without this right a request returns "not found", not "forbidden". */
export function isDivisionVisible(holding: Holding, divisionId: DivisionId): boolean {
  if (holding.divisionScope !== null && holding.divisionScope !== divisionId) return false;
  return holding.trees.some(
    (tree) =>
      tree.tenant.length + tree.division.length + tree.environment.length > 0 || String(divisionId) in tree.divisions,
  );
}

const isScoped = (holding: Holding, id: string): boolean =>
  holding.divisionScope === null || holding.divisionScope === Number(id);

const environmentsWith = (
  grant: DivisionGrant,
  has: (permissions: readonly Permission[]) => boolean,
): EnvironmentId[] =>
  Object.entries(grant.environments)
    .filter(([, permissions]) => has(permissions))
    .map(([id]) => Number(id));

function isInScope(
  divisionScope: DivisionId | null,
  required: Permission,
  divisionId: DivisionId | undefined,
): boolean {
  if (divisionScope === null) return true;
  if (WHOLE_TENANT.includes(required)) return false;
  return divisionScope === divisionId || (divisionId === undefined && PERMISSIONS[required].groups.length === 1);
}

function reaching(tree: PermissionTree, scope: PermissionScope): [string, readonly Permission[]][] {
  const groups: [string, readonly Permission[]][] = [['tenant', tree.tenant]];
  if (scope.divisionId === undefined) return groups;
  groups.push(['division', tree.division]);
  if (scope.environmentId !== undefined) groups.push(['environment', tree.environment]);
  const exact = tree.divisions[String(scope.divisionId)];
  return exact ? [...groups, ...reachingExactly(exact, scope)] : groups;
}

function reachingExactly(grant: DivisionGrant, scope: PermissionScope): [string, readonly Permission[]][] {
  const groups: [string, readonly Permission[]][] = [[`divisions.${scope.divisionId}`, grant.permissions]];
  if (scope.environmentId === undefined) return groups;
  return [
    ...groups,
    [`divisions.${scope.divisionId}.environment`, grant.environment],
    [
      `divisions.${scope.divisionId}.environments.${scope.environmentId}`,
      grant.environments[String(scope.environmentId)] ?? [],
    ],
  ];
}

/** Returns every permission list of the tree, of each group and each exact grant. */
export function allGroups(tree: PermissionTree): readonly (readonly Permission[])[] {
  const exact = Object.values(tree.divisions).flatMap((grant) => [
    grant.permissions,
    grant.environment,
    ...Object.values(grant.environments),
  ]);
  return [tree.tenant, tree.division, tree.environment, ...exact];
}
