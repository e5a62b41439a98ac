import fc from 'fast-check';
import { mergeTrees } from './merge-trees.js';
import { EMPTY_TREE, findGrant, type PermissionTree } from './permission-tree.js';
import { ALL_PERMISSIONS } from './permissions.js';

const some = fc.subarray(ALL_PERMISSIONS, { maxLength: 4 });
const id = fc.constantFrom('1', '2');
const tree: fc.Arbitrary<PermissionTree> = fc.record({
  tenant: some,
  division: some,
  environment: some,
  divisions: fc.dictionary(
    id,
    fc.record({ permissions: some, environment: some, environments: fc.dictionary(id, some) }),
  ),
});
const place = fc.constantFrom({}, { divisionId: 1 }, { divisionId: 2 }, { divisionId: 1, environmentId: 2 });

describe('Merged trees', () => {
  it('grant what any of the trees grants at each place, and nothing else', () => {
    const property = fc.property(
      fc.array(tree, { maxLength: 4 }),
      fc.constantFrom(...ALL_PERMISSIONS),
      place,
      (trees, permission, where) => {
        const apart = findGrant({ trees, divisionScope: null }, permission, where) !== null;
        const merged = findGrant({ trees: [mergeTrees(trees)], divisionScope: null }, permission, where) !== null;
        expect(merged).toBe(apart);
      },
    );
    fc.assert(property, { numRuns: 2_000 });
  });

  it('list each permission once, in the order of the catalogue', () => {
    const both = mergeTrees([
      { ...EMPTY_TREE, tenant: ['audit:read', 'info:read'] },
      { ...EMPTY_TREE, tenant: ['info:read', 'member:read'] },
    ]);

    expect(both).toEqual({ ...EMPTY_TREE, tenant: ['info:read', 'member:read', 'audit:read'] });
  });

  it('are empty when no trees are merged', () => {
    expect(mergeTrees([])).toEqual(EMPTY_TREE);
  });
});
