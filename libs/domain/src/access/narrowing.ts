import type { DivisionId } from '../ids.js';
import { mergeTrees } from './merge-trees.js';
import { allGroups, EMPTY_TREE, type DivisionGrant, type Holding, type PermissionTree } from './permission-tree.js';
import { satisfiedBy, type Permission } from './permissions.js';

/**
 * A scope that no division has, because ids start at 1. Its holder keeps the tenant-only permissions and reaches no
 * division.
 */
export const NO_DIVISION = 0;

const EMPTY_GRANT: DivisionGrant = { permissions: [], environment: [], environments: {} };

/**
 * Returns the holding of a key whose owner has the holding `owner`. In each scope the key has exactly the permissions
 * that both have there. So a key loses permissions when its owner is demoted. The result is an ordinary holding: code
 * that checks it does not need the owner.
 */
export function narrowHolding(own: Holding, owner: Holding): Holding {
  return {
    trees: [shareTree(treeOf(own), treeOf(owner))],
    divisionScope: narrowScope(own.divisionScope, owner.divisionScope),
  };
}

const treeOf = ({ trees: [first = EMPTY_TREE, ...others] }: Holding): PermissionTree =>
  others.length === 0 ? first : mergeTrees([first, ...others]);

/** Returns the division that both are limited to. Null: neither has a scope. */
export function narrowScope(own: DivisionId | null, owner: DivisionId | null): DivisionId | null {
  if (own === null || owner === null) return own ?? owner;
  return own === owner ? own : NO_DIVISION;
}

/**
 * Computes the groups from the widest to the narrowest. The permissions of a wider group also count in each narrower
 * group. A permission that both sides share in a wider group is left out of the narrower groups.
 */
function shareTree(own: PermissionTree, owner: PermissionTree): PermissionTree {
  if (holdsEverywhere(new Set(owner.tenant), own)) return own;
  const tenant = share(own.tenant, owner.tenant);
  const [ownDivision, ownerDivision] = [
    [...own.tenant, ...own.division],
    [...owner.tenant, ...owner.division],
  ];
  const division = beyond(share(ownDivision, ownerDivision), tenant);
  const ownAny = [...ownDivision, ...own.environment];
  const ownerAny = [...ownerDivision, ...owner.environment];
  const environment = beyond(share(ownAny, ownerAny), tenant, division);
  const wider = { tenant, division, environment };
  const ids = [...new Set([...Object.keys(own.divisions), ...Object.keys(owner.divisions)])];
  const divisions = ids.map((id): [string, DivisionGrant] => {
    const one = { whole: ownDivision, any: ownAny, exact: own.divisions[id] ?? EMPTY_GRANT };
    const other = { whole: ownerDivision, any: ownerAny, exact: owner.divisions[id] ?? EMPTY_GRANT };
    return [id, shareGrant(one, other, wider)];
  });
  return { ...wider, divisions: Object.fromEntries(divisions.filter(([, grant]) => !isEmpty(grant))) };
}

/** Fast path for the common case: the owner has on the whole tenant every permission that the key lists anywhere. */
const holdsEverywhere = (granted: ReadonlySet<Permission>, tree: PermissionTree): boolean =>
  allGroups(tree).every((group) => group.every((one) => satisfiedBy(one).some((candidate) => granted.has(candidate))));

/** The permissions of one side in one division: on the division, on any environment, and by exact grants. */
interface InDivision {
  whole: readonly Permission[];
  any: readonly Permission[];
  exact: DivisionGrant;
}

type Wider = Pick<PermissionTree, 'tenant' | 'division' | 'environment'>;

function shareGrant(own: InDivision, owner: InDivision, wider: Wider): DivisionGrant {
  const onDivision = ({ whole, exact }: InDivision) => [...whole, ...exact.permissions];
  const onAny = ({ any, exact }: InDivision) => [...any, ...exact.permissions, ...exact.environment];
  const onOne = (side: InDivision, id: string) => [...onAny(side), ...(side.exact.environments[id] ?? [])];
  const permissions = beyond(share(onDivision(own), onDivision(owner)), wider.tenant, wider.division);
  const reached = [wider.tenant, wider.division, wider.environment, permissions];
  const environment = beyond(share(onAny(own), onAny(owner)), ...reached);
  const ids = [...new Set([...Object.keys(own.exact.environments), ...Object.keys(owner.exact.environments)])];
  const environments = ids.map((id): [string, Permission[]] => [
    id,
    beyond(share(onOne(own, id), onOne(owner, id)), ...reached, environment),
  ]);
  return { permissions, environment, environments: Object.fromEntries(environments.filter(([, one]) => one.length)) };
}

/** Returns the permissions that both lists grant. `x:manage` on one side and `x:read` on the other share `x:read`. */
function share(own: readonly Permission[], owner: readonly Permission[]): Permission[] {
  const has = (list: ReadonlySet<Permission>, permission: Permission): boolean =>
    satisfiedBy(permission).some((candidate) => list.has(candidate));
  const [ownSet, ownerSet] = [new Set(own), new Set(owner)];
  const ownInBoth = [...ownSet].filter((permission) => has(ownerSet, permission));
  const ownerInBoth = [...ownerSet].filter((permission) => has(ownSet, permission));
  return [...ownInBoth, ...beyond(ownerInBoth, ownInBoth)];
}

/** Returns the permissions that none of the other lists grants. */
function beyond(permissions: readonly Permission[], ...others: readonly (readonly Permission[])[]): Permission[] {
  return permissions.filter(
    (permission) => !satisfiedBy(permission).some((candidate) => others.some((other) => other.includes(candidate))),
  );
}

const isEmpty = ({ permissions, environment, environments }: DivisionGrant): boolean =>
  permissions.length + environment.length + Object.keys(environments).length === 0;
