import { ApiClient } from '@libs/testing';
import { TestMainApi } from '../../../test/test-main-api.fixture.js';

const ORDER = { cloud: 'aws', region: 'us-east-1', tier: 'small', managed_tier: 'standard', cluster: 'cluster' };

describe('The name of a new deployment', () => {
  let cloud: TestMainApi;
  let without: { url: string; close(): Promise<void> };
  beforeAll(async () => {
    cloud = await TestMainApi.open();
    without = await cloud.another({ LANDLORD_DNS: 'none' });
  });
  afterAll(async () => {
    await without.close();
    await cloud.close();
  });

  const order = (url: string, name: string, more: object = {}) =>
    new ApiClient(url, cloud.key).post(`${cloud.environment}/deployments/managed`, { ...ORDER, name, ...more });
  const read = async (id: string | null) => (await cloud.main().get(`${cloud.environment}/deployments/${id}`)).body;

  it('does not exist where the installation publishes no names, and existing names stay', async () => {
    const named = await order(cloud.mainApi.url, 'named');
    const plain = await order(without.url, 'plain');

    expect([named.status, plain.status]).toEqual([202, 202]);
    const deployment = await read(named.headers.get('ld-deployment'));
    expect(deployment).toMatchObject({
      subdomain_enabled: true,
      domain: expect.stringMatching(/\.us-east-1\.aws\.landlord\.local$/),
    });
    expect(await read(plain.headers.get('ld-deployment'))).toMatchObject({ subdomain_enabled: false, domain: null });
    const path = `${cloud.environment}/deployments/${named.headers.get('ld-deployment')}`;
    expect((await new ApiClient(without.url, cloud.key).get(path)).body.domain).toBe(deployment.domain);
  });

  it('is refused on request where the installation publishes no names', async () => {
    const refused = await order(without.url, 'asked', { subdomain_enabled: true });

    expect(refused).toBeProblem('feature_unavailable', { status: 409 });
    expect(refused.body.detail).toContain('publishes no names');
    expect((await order(without.url, 'declined', { subdomain_enabled: false })).status).toBe(202);
  });
});
