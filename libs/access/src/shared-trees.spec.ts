import { EMPTY_TREE, SYSTEM_ROLE_TREES, type PermissionTree } from '@libs/domain';
import { SharedTrees } from './shared-trees.js';

const json = (...trees: PermissionTree[]): string => `[${trees.map((tree) => JSON.stringify(tree)).join(',')}]`;

describe('SharedTrees', () => {
  const own: PermissionTree = { ...EMPTY_TREE, tenant: ['division:manage', 'audit:read'] };

  it('changes when the roles of the key or of its owner change', () => {
    const shared = new SharedTrees();
    const text = JSON.stringify(own);

    expect(shared.of(text, null)).toEqual(own);
    expect(shared.of(text, json(SYSTEM_ROLE_TREES.owner))).toEqual(own);
    expect(shared.of(text, json(SYSTEM_ROLE_TREES.viewer)).tenant).toEqual(['audit:read', 'division:read']);
    expect(shared.of(text, json()).tenant).toEqual([]);
    const other = JSON.stringify({ ...own, tenant: ['audit:read'] });
    expect(shared.of(other, json(SYSTEM_ROLE_TREES.owner)).tenant).toEqual(['audit:read']);
  });

  it('parses the same roles once', () => {
    const shared = new SharedTrees();

    expect(shared.of(JSON.stringify(own), json(own))).toBe(shared.of(JSON.stringify(own), json(own)));
    expect(shared.of(JSON.stringify(own), null)).not.toBe(shared.of(JSON.stringify(own), json(own)));
    expect(shared.size).toBe(2);
  });

  it('returns trees that readers cannot change', () => {
    const shared = new SharedTrees();
    const tree = shared.of(JSON.stringify(own), json(SYSTEM_ROLE_TREES.viewer));

    expect(() => tree.tenant.push('billing:manage')).toThrow(TypeError);
    expect(shared.of(JSON.stringify(own), json(SYSTEM_ROLE_TREES.viewer))).toEqual(tree);
  });

  it('forgets entries, so that it does not grow without a limit', () => {
    const shared = new SharedTrees();
    for (let n = 0; n < 3000; n += 1) shared.of(JSON.stringify({ ...own, divisions: { [n]: EMPTY_DIVISION } }), null);

    expect(shared.size).toBe(1000);
  });
});

const EMPTY_DIVISION = { permissions: [], environment: [], environments: {} };
