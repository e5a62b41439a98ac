import { matrixOf } from './matrix.js';

describe('The matrix of permissions', () => {
  it('has a row for each permission that a role grants, with every place', () => {
    const rows = matrixOf([
      { id: 1, permissions: { tenant: ['member:read', 'deployment:read'], environment: ['deployment:read'] } },
      {
        id: 2,
        permissions: {
          division: ['deployment:read'],
          divisions: { 7: { permissions: ['deployment:manage'], environments: { 9: ['deployment:manage'] } } },
        },
      },
    ]);

    expect(rows.map(({ permission, places }) => [permission, Object.fromEntries(places)])).toEqual([
      ['deployment:manage', { 2: ['some divisions'] }],
      ['deployment:read', { 1: ['organization', 'environments'], 2: ['divisions'] }],
      ['member:read', { 1: ['organization'] }],
    ]);
  });
});
