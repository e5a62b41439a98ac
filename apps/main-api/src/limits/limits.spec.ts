import { given } from '@libs/testing';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

interface Limit {
  name: string;
  scope: string;
  limit: number;
  used: number | null;
  remaining: number | null;
}

const STARTER = { cloud: 'aws', region: 'us-east-1' };

describe('The limits of a tenant', () => {
  let cloud: TestMainApi;
  beforeAll(async () => {
    cloud = await TestMainApi.open();
  });
  afterAll(() => cloud.close());

  const read = async () => (await cloud.main().get(`${cloud.tenant}/limits`)).body;
  const limit = async (name: string): Promise<Limit> =>
    (await read()).limits.find((one: Limit) => one.name === name) as Limit;

  it('are the limits of its plan, with what the tenant uses', async () => {
    const { features } = (await cloud.main().get(cloud.tenant)).body;

    const { limits } = await read();

    expect(limits.map(({ name }: Limit) => name)).toEqual(
      Object.keys(features).filter((name) => typeof features[name] === 'number'),
    );
    for (const one of limits as Limit[]) expect(one.limit).toBe(features[one.name]);
    expect(await limit('divisions_limit')).toEqual({
      ...{ name: 'divisions_limit', scope: 'tenant', limit: features.divisions_limit },
      ...{ used: 1, remaining: features.divisions_limit - 1 },
    });
    expect(await limit('nodes_per_deployment_limit')).toMatchObject({
      scope: 'deployment',
      used: null,
      remaining: null,
    });
  });

  it('count what creations count, up to the refusal', async () => {
    await cloud.rows(`update tenants set plan_overrides = '{"limits": {"divisions_limit": 2}}' where id = $1`, [
      cloud.installation.tenant_id,
    ]);
    expect(await limit('divisions_limit')).toMatchObject({ limit: 2, used: 1, remaining: 1 });

    await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'second' });

    expect(await limit('divisions_limit')).toMatchObject({ used: 2, remaining: 0 });
    const refused = await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'third' });
    expect(refused).toBeProblem('plan_limit_reached', { limit: 2, usage: 2, requested: 1 });
  });

  it('tell how many deployments of each size can be added', async () => {
    await cloud.rows(`update tenants set plan_overrides = '{"limits": {"concurrent_deployments_limit": 1}}'`);
    const tierOf = async (tier: string) =>
      (await read()).deployment_tiers.find((one: { tier: string }) => one.tier === tier);
    expect(await tierOf('free')).toMatchObject({ used: 0, remaining: 1 });

    await cloud.main().post(`${cloud.division}/deployments/starter`, STARTER);

    expect(await tierOf('free')).toMatchObject({ used: 1, remaining: 0 });
    expect(await tierOf('small')).toMatchObject({ used: 0, remaining: 0 });
    expect(await limit('concurrent_deployments_limit')).toMatchObject({ limit: 1, used: 1, remaining: 0 });
  });

  it('need the permission to read the tenant', async () => {
    const key = await given.key(cloud, { permissions: { tenant: ['audit:read'] } });

    expect(await cloud.main(key).get(`${cloud.tenant}/limits`)).toBeProblem('insufficient_permissions');
  });
});
