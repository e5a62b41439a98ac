import fc from 'fast-check';
import type { PermissionTree, PermissionScope } from '../src/access/permission-tree.js';
import { ALL_PERMISSIONS, PERMISSIONS, type Permission, type PermissionGroup } from '../src/access/permissions.js';

const ids = fc.constantFrom(7, 8);
/** Null, or one of two divisions. */
export const divisionScopes = fc.option(ids, { nil: null });
/** The tenant itself, two divisions, and two environments in either division. */
export const scopes: fc.Arbitrary<PermissionScope> = fc.oneof(
  fc.constant({}),
  fc.record({ divisionId: ids }),
  fc.record({ divisionId: ids, environmentId: fc.constantFrom(70, 80) }),
);
const inGroup = (group: PermissionGroup): fc.Arbitrary<Permission[]> =>
  fc.uniqueArray(
    fc.constantFrom(
      ...ALL_PERMISSIONS.filter((name) => (PERMISSIONS[name].groups as readonly string[]).includes(group)),
    ),
    { maxLength: 3 },
  );
const byId = <T>(one: fc.Arbitrary<T>, ...keys: string[]): fc.Arbitrary<Record<string, T>> =>
  fc.dictionary(fc.constantFrom(...keys), one, { maxKeys: 2, noNullPrototype: true });
/** Any tree with few permissions in each group, so that the groups of two trees often overlap. */
export const trees: fc.Arbitrary<PermissionTree> = fc.record({
  tenant: inGroup('tenant'),
  division: inGroup('division'),
  environment: inGroup('environment'),
  divisions: byId(
    fc.record({
      permissions: inGroup('division'),
      environment: inGroup('environment'),
      environments: byId(inGroup('environment'), '70', '80'),
    }),
    '7',
    '8',
  ),
});
