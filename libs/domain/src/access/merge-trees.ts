import type { DivisionGrant, PermissionTree } from './permission-tree.js';
import { ALL_PERMISSIONS, type Permission } from './permissions.js';

/** Merges the trees into one tree that grants everything that any tree grants, in the order of the catalogue. */
export function mergeTrees(trees: readonly PermissionTree[]): PermissionTree {
  const divisions = trees.map((tree) => tree.divisions);
  return {
    tenant: union(trees.map(({ tenant }) => tenant)),
    division: union(trees.map(({ division }) => division)),
    environment: union(trees.map(({ environment }) => environment)),
    divisions: byKey(divisions, mergeGrants),
  };
}

const mergeGrants = (grants: readonly DivisionGrant[]): DivisionGrant => ({
  permissions: union(grants.map(({ permissions }) => permissions)),
  environment: union(grants.map(({ environment }) => environment)),
  environments: byKey(
    grants.map(({ environments }) => environments),
    union,
  ),
});

/** Merges the values with the same key. */
function byKey<T>(maps: readonly Record<string, T>[], merge: (values: T[]) => T): Record<string, T> {
  const keys = [...new Set(maps.flatMap((map) => Object.keys(map)))];
  return Object.fromEntries(
    keys.map((key) => [key, merge(maps.flatMap((map) => (key in map ? [map[key] as T] : [])))]),
  );
}

const union = (lists: readonly (readonly Permission[])[]): Permission[] => {
  const permissions = new Set(lists.flat());
  return ALL_PERMISSIONS.filter((name) => permissions.has(name));
};
