import {
  EMPTY_TREE,
  findGrant,
  holdsAnywhere,
  isDivisionVisible,
  reachOf,
  type Holding,
  type PermissionTree,
} from './permission-tree.js';

const holding = (tree: Partial<PermissionTree>, divisionScope: number | null = null): Holding => ({
  trees: [{ ...EMPTY_TREE, ...tree }],
  divisionScope,
});
const in7 = { divisionId: 7, environmentId: 70 };

describe('Permission groups', () => {
  it('reach everything below the tenant, the division or the environment', () => {
    expect(findGrant(holding({ tenant: ['deployment:read'] }), 'deployment:read', in7)).toMatchObject({
      group: 'tenant',
    });
    expect(findGrant(holding({ division: ['deployment:read'] }), 'deployment:read', in7)).toMatchObject({
      group: 'division',
    });
    expect(findGrant(holding({ environment: ['deployment:read'] }), 'deployment:read', in7)).toMatchObject({
      group: 'environment',
    });
  });

  it('do not reach levels above their own', () => {
    expect(findGrant(holding({ environment: ['deployment:read'] }), 'deployment:read', { divisionId: 7 })).toBeNull();
    expect(findGrant(holding({ division: ['division:read'] }), 'division:read', {})).toBeNull();
  });

  it('let x:manage include x:read, and no other permission include another one', () => {
    expect(findGrant(holding({ tenant: ['deployment:manage'] }), 'deployment:read', in7)?.permission).toBe(
      'deployment:manage',
    );
    expect(findGrant(holding({ tenant: ['deployment:read'] }), 'deployment:manage', in7)).toBeNull();
    expect(findGrant(holding({ tenant: ['deployment:manage'] }), 'deployment:credentials:read', in7)).toBeNull();
  });

  it('reach exactly the named divisions and environments', () => {
    const exact = holding({
      divisions: { 7: { permissions: ['division:read'], environment: [], environments: { 70: ['deployment:read'] } } },
    });

    expect(findGrant(exact, 'division:read', { divisionId: 7 })?.group).toBe('divisions.7');
    expect(findGrant(exact, 'deployment:read', in7)?.group).toBe('divisions.7.environments.70');
    expect(findGrant(exact, 'deployment:read', { divisionId: 7, environmentId: 71 })).toBeNull();
    expect(findGrant(exact, 'division:read', { divisionId: 8 })).toBeNull();
  });

  it('do not reach outside the division of a scoped key', () => {
    const scoped = holding({ tenant: ['deployment:read', 'division:manage', 'info:read'] }, 7);

    expect(findGrant(scoped, 'deployment:read', in7)).not.toBeNull();
    expect(findGrant(scoped, 'deployment:read', { divisionId: 8, environmentId: 80 })).toBeNull();
    expect(findGrant(scoped, 'division:manage', {})).toBeNull();
    expect(findGrant(scoped, 'info:read', {})).not.toBeNull();
  });
});

describe('The reach of a holder', () => {
  it('is the whole tenant, the division of its scope, or the named divisions', () => {
    const exact = { 5: { permissions: [], environment: ['deployment:read' as const], environments: {} } };

    expect(reachOf(holding({ tenant: ['deployment:read'] }), 'deployment:read')).toMatchObject({ all: true });
    expect(reachOf(holding({ environment: ['deployment:read'] }, 7), 'deployment:read')).toMatchObject({
      all: false,
      divisions: [7],
    });
    expect(reachOf(holding({ divisions: exact }), 'deployment:read')).toMatchObject({ all: false, divisions: [5] });
    expect(reachOf(holding({ tenant: ['info:read'] }), 'deployment:read')).toEqual({
      all: false,
      divisions: [],
      environments: [],
    });
  });

  it('hides divisions in which the holder has no permission', () => {
    const exact = holding({ divisions: { 5: { permissions: ['division:read'], environment: [], environments: {} } } });

    expect(isDivisionVisible(exact, 5)).toBe(true);
    expect(isDivisionVisible(exact, 6)).toBe(false);
    expect(isDivisionVisible(holding({ tenant: ['info:read'] }, 7), 8)).toBe(false);
    expect(isDivisionVisible(holding({ tenant: ['info:read'] }), 8)).toBe(true);
    expect(isDivisionVisible(holding({ environment: ['deployment:read'] }), 8)).toBe(true);
  });

  it('finds a permission that the holder has at any place', () => {
    const deep = holding({
      divisions: { 5: { permissions: [], environment: [], environments: { 50: ['deployment:manage'] } } },
    });

    expect(holdsAnywhere(deep, 'deployment:read')).toBe(true);
    expect(holdsAnywhere(deep, 'audit:read')).toBe(false);
  });
});
