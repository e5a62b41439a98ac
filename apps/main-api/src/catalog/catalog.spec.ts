import { DRIVER_FEATURES } from '@libs/domain';
import { given } from '@libs/testing';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

/** What the Supervisor of this test announces. */
const ALL_REAL = Object.fromEntries(DRIVER_FEATURES.map((feature) => [feature, 'real']));

describe('Discovery and preview', () => {
  let cloud: TestMainApi;
  let preview: string;
  const paid = { cloud: 'aws', region: 'us-east-1', managed_tier: 'standard', tier: 'small' };

  beforeAll(async () => {
    cloud = await TestMainApi.open();
    preview = `${cloud.environment}/deployments/preview`;
  });
  afterAll(() => cloud.close());

  it('lists clouds with the driver that serves them', async () => {
    const { body } = await cloud.main().get(`${cloud.tenant}/clouds`);

    expect(body).toEqual([
      { key: 'aws', name: 'Amazon Web Services', driver: 'local', features: ALL_REAL },
      { key: 'gcp', name: 'Google Cloud', driver: 'local', features: ALL_REAL },
    ]);
  });

  it('lists regions with their areas, tiers with the remaining limit of the plan, and storages', async () => {
    const regions = await cloud.main().get(`${cloud.tenant}/clouds/gcp/regions`);
    const tiers = await cloud.main().get(`${cloud.tenant}/clouds/aws/regions/sa-east-1/tiers`);
    const storages = await cloud.main().get(`${cloud.tenant}/clouds/aws/regions/eu-north-1/storages`);

    expect(regions.body.length).toBeGreaterThanOrEqual(6);
    expect(regions.body[0]).toEqual({
      key: 'us-central1',
      name: 'Iowa',
      area: 'us',
      available: true,
      features: ALL_REAL,
      features_by_cluster: { cluster: ALL_REAL, standalone: ALL_REAL },
    });
    expect(tiers.body.find(({ key }: { key: string }) => key === '16xlarge')).toMatchObject({ available: false });
    expect(tiers.body[0]).toMatchObject({ key: 'free', limit: 1, clusters: ['standalone'], rate_limit: '100 KB/s' });
    expect(storages.body).toMatchObject([
      { key: 'network_balanced', available: true },
      { key: 'local_ssd', available: false, clusters: ['cluster'] },
    ]);
  });

  it.each(['aws', 'gcp'])(
    'offers %s in at least six regions over us, eu and ap, the first with everything',
    async (key) => {
      const path = `${cloud.tenant}/clouds/${key}/regions`;
      const { body: regions } = await cloud.main().get(path);
      const { body: tiers } = await cloud.main().get(`${path}/${regions[0].key}/tiers`);
      const { body: storages } = await cloud.main().get(`${path}/${regions[0].key}/storages`);

      expect(regions.filter(({ available }: { available: boolean }) => available).length).toBeGreaterThanOrEqual(6);
      expect(regions.map(({ area }: { area: string }) => area)).toEqual(expect.arrayContaining(['us', 'eu', 'ap']));
      expect(tiers.map((tier: { key: string; available: boolean }) => [tier.key, tier.available])).toEqual(
        ['free', 'small', 'medium', 'large', 'xlarge', '2xlarge', '4xlarge', '8xlarge', '16xlarge'].map((size) => [
          size,
          true,
        ]),
      );
      expect(tiers.slice(1).map(({ rate_limit }: { rate_limit: unknown }) => rate_limit)).toEqual(Array(8).fill(null));
      expect(storages).toMatchObject([
        { key: 'network_balanced', available: true },
        { key: 'local_ssd', available: true },
      ]);
    },
  );

  it('lowers the remaining limit of a tier with each deployment, and raises it after the deletion', async () => {
    const remaining = async (): Promise<number> =>
      (await cloud.main().get(`${cloud.tenant}/clouds/gcp/regions/us-east1/tiers`)).body[0].limit;
    const before = await remaining();
    const starter = await cloud
      .main()
      .post(`${cloud.division}/deployments/starter`, { cloud: 'aws', region: 'us-east-1' });
    const during = await remaining();

    await cloud.main().delete(starter.headers.get('location') ?? '');
    // The row that the Supervisor leaves after the deletion.
    await cloud.rows('update deployment_runtimes set deleted_at = now() where deployment_id = $1', [
      starter.headers.get('ld-deployment'),
    ]);

    expect([before, during, await remaining()]).toEqual([1, 0, 1]);
  });

  it('refuses unknown clouds and regions', async () => {
    expect(await cloud.main().get(`${cloud.tenant}/clouds/azure/regions`)).toBeProblem('cloud_not_found', {
      status: 404,
    });
    expect(await cloud.main().get(`${cloud.tenant}/clouds/aws/regions/us-central1/tiers`)).toBeProblem(
      'region_not_found',
    );
  });

  it('requires deployment:read, in any permission group', async () => {
    const reader = await given.key(cloud, { permissions: { environment: ['deployment:read'] } });
    const other = await given.key(cloud, { permissions: { tenant: ['audit:read'] } });

    expect((await cloud.main(reader).get(`${cloud.tenant}/clouds`)).status).toBe(200);
    expect(await cloud.main(other).get(`${cloud.tenant}/clouds`)).toBeProblem('insufficient_permissions', {
      permission: 'deployment:read',
    });
  });

  it('previews a shape with all defaults, and creates nothing', async () => {
    const { status, body } = await cloud.main().post(preview, paid);

    expect(status).toBe(200);
    expect(body).toMatchObject({ nodes: 3, included_telemetry_days: 14, pricing_version: '2026-11', tier: 'small' });
    expect(body.breakdown.storage_usd).toBe(36);
    expect(body.monthly_base_usd).toBeCloseTo(body.breakdown.compute_usd + body.breakdown.storage_usd, 2);
    expect(body.monthly_total_usd).toBeCloseTo(body.monthly_base_usd + body.breakdown.network_usd, 2);
    expect(body.capacity).toMatchObject({ shards_per_node: 2, default_segment_bytes: 67_108_864 });
    expect(await cloud.rows('select 1 from deployments where deletion_requested_at is null')).toEqual([]);
  });

  it('shows the price of a region, of more throughput and of clients elsewhere', async () => {
    const { body: base } = await cloud.main().post(preview, paid);
    const { body: far } = await cloud
      .main()
      .post(preview, { ...paid, network_scope: 'cross_cloud', target_network_tput: 20_000 });

    expect(far.nodes).toBe(5);
    expect(far.breakdown.network_usd).toBeGreaterThan(base.breakdown.network_usd * 9);
    expect(far.monthly_base_usd).toBeGreaterThan(base.monthly_base_usd);
  });

  it('previews Free at no cost', async () => {
    const { body } = await cloud.main().post(preview, { cloud: 'aws', region: 'us-east-1', tier: 'free' });

    expect(body).toMatchObject({ nodes: 1, monthly_base_usd: 0, monthly_total_usd: 0, included_telemetry_days: 7 });
  });

  it('returns 402 for a paid order without a payment method, and 403 for a feature that the plan lacks', async () => {
    const other = await given.tenant(cloud, 'basic');
    const key = await given.key(cloud, { tenantId: other.tenantId });
    const base = `/tenants/${other.tenantId}/divisions/${other.divisionId}/environments/${other.environmentId}/deployments`;
    const order = { ...paid, name: 'x', cluster: 'cluster' };

    expect(await cloud.main(key).post(`${base}/managed`, order)).toBeProblem('payment_method_required', {
      status: 402,
    });
    await given.invoiceAgreement(cloud, other.tenantId);
    expect(await cloud.main(key).post(`${base}/managed`, { ...order, encrypted: true })).toBeProblem(
      'plan_feature_required',
      {
        status: 403,
        feature: 'customer_managed_keys_enabled',
      },
    );
    expect(await cloud.main(key).post(`${base}/managed`, { ...order, tier: 'large' })).toBeProblem(
      'plan_limit_reached',
      {
        status: 409,
        limit: 0,
      },
    );
  });

  it('publishes the error catalogue and health without a key', async () => {
    const errors = await cloud.main(null).get('/errors');

    expect(errors.body).toContainEqual(expect.objectContaining({ code: 'name_taken', status: 409, retryable: false }));
    expect((await cloud.main(null).get('/health/live')).body).toEqual({ status: 'ok' });
  });

  it('sends security headers and a unique request id with each answer', async () => {
    const [a, b] = [await cloud.main(null).get('/nowhere'), await cloud.main().get(cloud.tenant)];

    for (const { headers } of [a, b]) {
      expect(headers.get('ld-request')).toMatch(/^[0-9a-f]{32}$/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain(`default-src 'self'`);
      expect(headers.get('x-powered-by')).toBeNull();
    }
    expect(a.headers.get('ld-request')).not.toBe(b.headers.get('ld-request'));
  });
});
