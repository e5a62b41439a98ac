import fc from 'fast-check';
import { firstMissing, grantsAdded, grantsOf, missingOfRole, missingToGive } from './granting.js';
import { divisionScopes, scopes, trees } from '../../test/permission-trees.fixture.js';
import { EMPTY_TREE, findGrant, type Holding, type PermissionTree } from './permission-tree.js';
import { ALL_PERMISSIONS, type Permission } from './permissions.js';
import { SYSTEM_ROLE_TREES } from './system-roles.js';

const tree = (parts: Partial<PermissionTree>): PermissionTree => ({ ...EMPTY_TREE, ...parts });
const holding = (parts: Partial<PermissionTree>, divisionScope: number | null = null): Holding => ({
  trees: [tree(parts)],
  divisionScope,
});
const missing = (
  holder: Holding,
  given: Partial<PermissionTree>,
  divisionScope: number | null = null,
): Permission | null => firstMissing(holder, grantsOf(tree(given), divisionScope))?.permission ?? null;

describe('Granting', () => {
  it('allows a permission that the holder has, and reading where the holder may manage', () => {
    expect(missing(holding({ tenant: ['deployment:manage'] }), { environment: ['deployment:read'] })).toBeNull();
    expect(missing(holding({ division: ['division:read'] }), { division: ['division:read'] }, 7)).toBeNull();
  });

  it('names the first permission that the holder lacks', () => {
    const holder = holding({ tenant: ['info:read', 'deployment:read'] });

    expect(missing(holder, { tenant: ['info:read', 'audit:read'], environment: ['deployment:manage'] })).toBe(
      'audit:read',
    );
  });

  it('does not extend a permission of a lower group to a higher group', () => {
    expect(missing(holding({ environment: ['deployment:read'] }), { division: ['deployment:read'] })).toBe(
      'deployment:read',
    );
    expect(missing(holding({ division: ['division:manage'] }), { tenant: ['division:manage'] })).toBe(
      'division:manage',
    );
  });

  it('does not reach outside the scope of the holder, nor into divisions that do not exist yet', () => {
    expect(missing(holding({ tenant: ['deployment:read'] }, 7), { tenant: ['deployment:read'] })).toBe(
      'deployment:read',
    );
    expect(missing(holding({ tenant: ['deployment:read'] }, 7), { tenant: ['deployment:read'] }, 7)).toBeNull();
    expect(missing(holding({ tenant: ['deployment:read'] }, 7), { tenant: ['deployment:read'] }, 8)).toBe(
      'deployment:read',
    );
    const exact = {
      divisions: { 7: { permissions: ['deployment:read' as const], environment: [], environments: {} } },
    };
    expect(missing(holding(exact), { division: ['deployment:read'] })).toBe('deployment:read');
    expect(missing(holding(exact), exact)).toBeNull();
  });

  it('does not widen the part of the billing data that a scoped holder sees', () => {
    expect(missing(holding({ tenant: ['billing:read'] }, 7), { tenant: ['billing:read'] })).toBe('billing:read');
    expect(missing(holding({ tenant: ['billing:read'] }, 7), { tenant: ['billing:read'] }, 8)).toBe('billing:read');
    expect(missing(holding({ tenant: ['billing:read'] }, 7), { tenant: ['billing:read'] }, 7)).toBeNull();
  });

  it('requires from the editor of a role only the permissions that the edit adds', () => {
    const current = tree({ tenant: ['billing:manage', 'info:read'] });

    expect(grantsAdded(current, tree({ tenant: ['billing:manage'] }))).toEqual([]);
    expect(grantsAdded(current, tree({ tenant: ['billing:manage', 'audit:read'] }))).toEqual([
      { permission: 'audit:read', scope: {} },
      { permission: 'audit:read', scope: { divisionId: -1 } },
    ]);
  });

  it('gives a scoped holder only `:read` of a permission that changes the whole tenant', () => {
    const given = grantsOf(tree({ tenant: ['info:manage'] }), 8);

    expect([...new Set(given.map(({ permission }) => permission))]).toEqual(['info:read']);
    expect(missing(holding({}), { tenant: ['info:manage'] }, 8)).toBe('info:read');
    expect(findGrant(holding({ tenant: ['info:manage'] }, 8), 'info:manage', { divisionId: 8 })).toBeNull();
  });

  it('of a scoped holder stays within the scope, also for a role that grants nothing more', () => {
    const holder = holding({ tenant: ['deployment:read'] }, 7);
    const given = tree({ environment: ['deployment:read'] });
    const permissionTo = (divisionId: number | null): unknown => missingToGive(holder, given, divisionId)?.permission;

    expect([permissionTo(7), permissionTo(8), permissionTo(null)]).toEqual([
      undefined,
      'deployment:read',
      'deployment:read',
    ]);
    expect(missingToGive(holding({ tenant: ['deployment:read'] }), given, 8)).toBeNull();
    expect(missingToGive(holder, EMPTY_TREE, 8)).toBeNull();
  });

  it('of a system role needs every grant of the role', () => {
    expect(missingOfRole({ trees: [SYSTEM_ROLE_TREES.owner], divisionScope: null }, 'owner')).toBeNull();
    expect(missingOfRole({ trees: [SYSTEM_ROLE_TREES.viewer], divisionScope: null }, 'admin')).not.toBeNull();
  });

  it('never lets the receiver do something that the giver cannot do, at any place', () => {
    fc.assert(
      fc.property(
        trees,
        trees,
        divisionScopes,
        divisionScopes,
        fc.constantFrom(...ALL_PERMISSIONS),
        scopes,
        (held, given, own, divisionScope, one, scope) => {
          const giver: Holding = { trees: [held], divisionScope: own };
          if (firstMissing(giver, grantsOf(given, divisionScope)) !== null) return;
          const receiver: Holding = { trees: [given], divisionScope };
          if (findGrant(receiver, one, scope)) expect(findGrant(giver, one, scope)).not.toBeNull();
        },
      ),
      { numRuns: 20_000 },
    );
  });

  it('lets each holder give exactly the permissions that the holder has', () => {
    fc.assert(
      fc.property(trees, divisionScopes, (held, scope) => {
        expect(firstMissing({ trees: [held], divisionScope: scope }, grantsOf(held, scope))).toBeNull();
      }),
    );
  });
});
