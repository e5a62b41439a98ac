import { createClient } from '@landlord/sdk';
import { rightsOf } from './rights.js';

/** An organization with many divisions, each with two environments: 10 has 100 and 101. */
const DIVISIONS = Array.from({ length: 50 }, (_one, at) => ({
  id: 10 + at,
  environments: [0, 1].map((environment) => ({ id: (10 + at) * 10 + environment, deployments: [] })),
}));

/** A client of a key that may do this in this place alone, and the scopes that the client has asked about. */
function keyWith(permissions: object, holds: (permission: string, scope: Record<string, number>) => boolean) {
  const scopes = new Set<string>();
  let requests = 0;
  const landlord = createClient({
    ...{ url: 'http://localhost', apiKey: 'key', tenantId: 1 },
    fetch: async (url, { body } = {}) => {
      requests += 1;
      const { pathname, searchParams } = new URL(url);
      if (pathname.endsWith('/structure')) return Response.json({ divisions: DIVISIONS });
      if (pathname.endsWith('/api_keys/context')) return Response.json({ permissions });
      const given = {
        ...Object.fromEntries(searchParams),
        ...(JSON.parse((body as string | undefined) ?? '{}') as object),
      };
      const { permission = '', ...scope } = given as Record<string, string>;
      scopes.add(JSON.stringify(scope));
      const numbers = Object.fromEntries(Object.entries(scope).map(([name, id]) => [name, Number(id)]));
      return Response.json({ allowed: holds(permission, numbers) });
    },
  });
  return { landlord, scopes, requests: () => requests };
}

describe('The rights of a key', () => {
  it('are those that it has anywhere, without a question about each division', async () => {
    const key = keyWith({ tenant: ['info:read'] }, () => false);

    expect([...(await rightsOf(key.landlord))]).toEqual([]);
    expect(key.scopes.size).toBe(3);
    expect(key.requests()).toBeLessThan(60);
  });

  it('include those in a division and an environment that the key names', async () => {
    const permissions = { divisions: { 42: { environments: { 421: ['deployment:manage'] } } } };
    const key = keyWith(
      permissions,
      (permission, { environment_id }) => permission === 'deployment:manage' && environment_id === 421,
    );

    expect([...(await rightsOf(key.landlord))]).toEqual(['deployment:manage']);
    expect(key.scopes).toContain(JSON.stringify({ division_id: '42', environment_id: '421' }));
  });
});
