import fc from 'fast-check';
import { narrowHolding, NO_DIVISION } from './narrowing.js';
import { divisionScopes, scopes, trees } from '../../test/permission-trees.fixture.js';
import { EMPTY_TREE, findGrant, reachOf, type Holding, type PermissionTree } from './permission-tree.js';
import { ALL_PERMISSIONS, PERMISSIONS } from './permissions.js';
import { SYSTEM_ROLE_TREES } from './system-roles.js';

const holding = (parts: Partial<PermissionTree>, divisionScope: number | null = null): Holding => ({
  trees: [{ ...EMPTY_TREE, ...parts }],
  divisionScope,
});
const holdings = fc
  .record({ trees: fc.array(trees, { maxLength: 2 }), divisionScope: divisionScopes })
  .map((parts): Holding => parts);

describe('The holding of a key whose owner has fewer permissions', () => {
  it('has at each place exactly the permissions that the key and the owner both have there', () => {
    fc.assert(
      fc.property(
        holdings,
        holdings,
        fc.constantFrom(...ALL_PERMISSIONS),
        scopes,
        (keyHolding, owner, permission, scope) => {
          const both =
            findGrant(keyHolding, permission, scope) !== null && findGrant(owner, permission, scope) !== null;

          expect(findGrant(narrowHolding(keyHolding, owner), permission, scope) !== null).toBe(both);
        },
      ),
      { numRuns: 20_000 },
    );
  });

  it('reaches exactly the resources at those places', () => {
    const listed = ALL_PERMISSIONS.filter((name) =>
      (PERMISSIONS[name].groups as readonly string[]).includes('environment'),
    );
    fc.assert(
      fc.property(holdings, holdings, fc.constantFrom(...listed), (keyHolding, owner, permission) => {
        const reach = reachOf(narrowHolding(keyHolding, owner), permission);
        const isHeld = (divisionId: number, environmentId: number): boolean =>
          [keyHolding, owner].every((one) => findGrant(one, permission, { divisionId, environmentId }) !== null);
        const isWhole = (division: number): boolean => reach.all || reach.divisions.includes(division);

        // 90 represents the environments that no tree names.
        for (const division of [7, 8])
          for (const environment of [70, 80, 90]) {
            if (isWhole(division)) expect(isHeld(division, environment)).toBe(true);
            else if (isHeld(division, environment)) expect(reach.environments).toContain(environment);
          }
        for (const environment of reach.environments)
          expect(isHeld(7, environment) || isHeld(8, environment)).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  it('is unchanged while the owner has all permissions', () => {
    const keyHolding = holding({ environment: ['deployment:read'], divisions: {} }, 7);

    expect(narrowHolding(keyHolding, { trees: [SYSTEM_ROLE_TREES.owner], divisionScope: null })).toEqual(keyHolding);
  });

  it('has `:read` instead of `:manage` after the owner becomes a viewer', () => {
    const keyHolding = holding({ tenant: ['deployment:manage', 'member:manage'] });

    expect(narrowHolding(keyHolding, { trees: [SYSTEM_ROLE_TREES.viewer], divisionScope: null })).toEqual(
      holding({ tenant: ['member:read', 'deployment:read'] }),
    );
  });

  it('reaches no division when the owner has another scope', () => {
    const narrowed = narrowHolding(holding({ tenant: ['info:read', 'deployment:read'] }, 7), {
      trees: [SYSTEM_ROLE_TREES.owner],
      divisionScope: 8,
    });

    expect(narrowed.divisionScope).toBe(NO_DIVISION);
    expect(findGrant(narrowed, 'info:read', {})).not.toBeNull();
    expect(findGrant(narrowed, 'deployment:read', { divisionId: 7 })).toBeNull();
    expect(findGrant(narrowed, 'deployment:read', { divisionId: 8 })).toBeNull();
  });

  it('is empty when the owner has no roles', () => {
    expect(narrowHolding(holding({ tenant: ['info:read'] }), { trees: [], divisionScope: null }).trees).toEqual([
      EMPTY_TREE,
    ]);
  });
});
