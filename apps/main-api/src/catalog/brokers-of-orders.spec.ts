import { DRIVER_FEATURES, type BrokerDriver } from '@libs/domain';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

const PAID = { cloud: 'aws', region: 'us-east-1', tier: 'small', managed_tier: 'standard', cluster: 'cluster' };
const FREE = { cloud: 'aws', region: 'us-east-1', tier: 'free', cluster: 'standalone' };
const ALL_REAL = Object.fromEntries(DRIVER_FEATURES.map((feature) => [feature, 'real']));
const OF_IGGY = { ...ALL_REAL, encryption: 'none', replication: 'none', proxy_protocol: 'none' };
const OF_EMBEDDED = { ...ALL_REAL, replication: 'none' };

const RELEASES: Record<BrokerDriver, string> = { iggy: '0.8.0', nats: '2.9.10', embedded: '1.2.0' };
const FEATURES: Record<BrokerDriver, object> = { iggy: OF_IGGY, nats: ALL_REAL, embedded: OF_EMBEDDED };

describe('The brokers of orders', () => {
  let cloud: TestMainApi;
  let number = 0;
  beforeAll(async () => {
    cloud = await TestMainApi.open();
    await cloud.rows(`update tenants set plan_overrides = '{"deployment_tiers": {"free": 50}}'`);
  });
  afterAll(() => cloud.close());

  /** The Supervisor announces these brokers, each with the kinds of new deployments that get it. */
  const announce = (brokers: Partial<Record<BrokerDriver, string[]>>) => {
    const announced = Object.entries(brokers).map(([driver, clusters]) => {
      const features = { aws: FEATURES[driver as BrokerDriver], gcp: FEATURES[driver as BrokerDriver] };
      return [driver, { version: RELEASES[driver as BrokerDriver], clusters, features }];
    });
    return cloud.rows('update cells set brokers = $1', [JSON.stringify(Object.fromEntries(announced))]);
  };
  const order = async (shape: object) => {
    const name = `ordered-${(number += 1)}`;
    return cloud.main().post(`${cloud.environment}/deployments/managed`, { ...shape, name });
  };
  const ordered = async (shape: object): Promise<number> => {
    const accepted = await order(shape);
    expect(accepted.body).toMatchObject({ deployment_id: expect.any(Number) });
    return Number(accepted.headers.get('ld-deployment'));
  };
  const nodesOf = (deployment: number) =>
    cloud.rows('select broker_driver, broker_version, image_id from nodes where deployment_id = $1', [deployment]);
  const detailOf = async (deployment: number) =>
    (await cloud.main().get(`${cloud.environment}/deployments/${deployment}`)).body;
  const region = async () =>
    (await cloud.main().get(`${cloud.tenant}/clouds/aws/regions`)).body.find(
      ({ key }: { key: string }) => key === 'us-east-1',
    );

  it('are those of the kind that is ordered, with their features', async () => {
    await announce({ embedded: [], nats: ['cluster'], iggy: ['standalone'] });
    const [free, paid] = [await ordered(FREE), await ordered(PAID)];

    expect(await nodesOf(free)).toEqual([
      { broker_driver: 'iggy', broker_version: '0.8.0', image_id: 'landlord-iggy-0.8.0' },
    ]);
    expect(new Set((await nodesOf(paid)).map((node) => node['broker_driver']))).toEqual(new Set(['nats']));
    expect((await detailOf(free)).features).toEqual(OF_IGGY);
    expect((await detailOf(paid)).features).toEqual(ALL_REAL);
  });

  it('decide what can be ordered, by the kind of the order', async () => {
    await announce({ embedded: [], nats: ['cluster'], iggy: ['standalone'] });

    expect(await order({ ...FREE, encrypted: true })).toBeProblem('feature_unavailable', {
      ...{ status: 409, feature: 'encryption', cloud_driver: 'local', broker_driver: 'iggy' },
    });
    await ordered({ ...PAID, encrypted: true });
    expect(await region()).toMatchObject({
      features: OF_IGGY,
      features_by_cluster: { cluster: ALL_REAL, standalone: OF_IGGY },
    });
  });

  it('stay those of a deployment after others appear, also in its features', async () => {
    await announce({ embedded: ['cluster', 'standalone'] });
    const deployment = await ordered({ ...FREE, encrypted: true });

    await announce({ embedded: ['cluster'], iggy: ['standalone'] });

    expect(await nodesOf(deployment)).toMatchObject([{ broker_driver: 'embedded', broker_version: '1.2.0' }]);
    expect((await detailOf(deployment)).features).toEqual(OF_EMBEDDED);
  });

  it('show as lost when no node can run them any longer', async () => {
    await announce({ embedded: ['cluster'], iggy: ['standalone'] });
    const deployment = await ordered(FREE);

    await announce({ embedded: ['cluster', 'standalone'] });

    expect(new Set(Object.values((await detailOf(deployment)).features))).toEqual(new Set(['none']));
  });

  it('take no cluster when their nodes form none, and say so before and at the order', async () => {
    await announce({ embedded: [], iggy: ['cluster', 'standalone'] });
    const { cloud: key, region: place, tier, managed_tier } = PAID;
    const shape = { cloud: key, region: place, tier, managed_tier };
    const { body: preview } = await cloud.main().post(`${cloud.environment}/deployments/preview`, shape);
    const refusal = await order(PAID);

    const members = { feature: 'replication', cloud_driver: 'local', broker_driver: 'iggy' };
    expect(refusal).toBeProblem('feature_unavailable', { status: 409, ...members });
    expect(preview).toMatchObject({
      orderable: false,
      blocked_by: [{ code: 'feature_unavailable', detail: refusal.body.detail, members }],
      warnings: ['The nodes of the cluster do not replicate messages.'],
    });
    await ordered(FREE);
  });

  it('are the announced one for both kinds where a Supervisor of an earlier release announces', async () => {
    await announce({});

    expect(await nodesOf(await ordered(FREE))).toMatchObject([{ broker_driver: 'embedded', broker_version: '1' }]);
    expect((await region()).features_by_cluster).toEqual({ cluster: ALL_REAL, standalone: ALL_REAL });
  });
});
