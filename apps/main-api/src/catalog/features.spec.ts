import { DRIVER_FEATURES } from '@libs/domain';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

const PAID = { cloud: 'aws', region: 'us-east-1', tier: 'small', managed_tier: 'standard', cluster: 'cluster' };
const ALL_REAL = Object.fromEntries(DRIVER_FEATURES.map((feature) => [feature, 'real']));

describe('The features of drivers', () => {
  let cloud: TestMainApi;
  let number = 0;
  beforeAll(async () => {
    cloud = await TestMainApi.open();
  });
  afterAll(() => cloud.close());
  beforeEach(async () => {
    await cloud.rows(`delete from cells where cell <> 'local'`);
    const all = { aws: ALL_REAL, gcp: ALL_REAL };
    await cloud.rows('update cells set drained_at = null, features = $1', [JSON.stringify(all)]);
  });

  const declare = (features: object, cell = 'local') =>
    cloud.rows('update cells set features = features || $2::jsonb where cell = $1', [cell, JSON.stringify(features)]);
  const order = (more: object = {}) =>
    cloud
      .main()
      .post(`${cloud.environment}/deployments/managed`, { ...PAID, name: `ordered-${(number += 1)}`, ...more });
  const regionOf = async (key: string) =>
    (await cloud.main().get(`${cloud.tenant}/clouds/aws/regions`)).body.find((one: { key: string }) => one.key === key);
  const featuresOfAws = async () => (await cloud.main().get(`${cloud.tenant}/clouds`)).body[0].features;

  it.each([
    ['encrypted', 'encryption'],
    ['dedicated', 'dedicated'],
  ])('%s is refused where no driver does it, and names the drivers', async (member, feature) => {
    await declare({ aws: { ...ALL_REAL, [feature]: 'none' } });

    expect(await order({ [member]: true })).toBeProblem('feature_unavailable', {
      ...{ status: 409, feature, cloud_driver: 'local', broker_driver: 'embedded' },
    });
    expect((await order()).status).toBe(202);
    await declare({ aws: ALL_REAL });
    expect((await order({ [member]: true })).status).toBe(202);
  });

  it('are fixed at the creation, and show as none after the drivers have lost them', async () => {
    await declare({ aws: { ...ALL_REAL, private_networking: 'played' } });
    const accepted = await order();
    const path = `${cloud.environment}/deployments/${accepted.headers.get('ld-deployment')}`;
    const features = async () => (await cloud.main().get(path)).body.features;
    expect(await features()).toEqual({ ...ALL_REAL, private_networking: 'played' });

    await declare({ aws: { ...ALL_REAL, encryption: 'none' } });
    expect(await features()).toEqual({ ...ALL_REAL, private_networking: 'played', encryption: 'none' });
    await declare({ aws: ALL_REAL });
    expect(await features()).toEqual({ ...ALL_REAL, private_networking: 'played' });
  });

  it('stay after a switch of the cloud driver, and not because the name has another driver', async () => {
    const accepted = await order();
    const id = accepted.headers.get('ld-deployment');
    const encryption = async () =>
      (await cloud.main().get(`${cloud.environment}/deployments/${id}`)).body.features.encryption;
    const resource = (kind: string, driver: string) =>
      cloud.rows(
        `insert into cloud_resources (kind, name, deployment_id, driver, intent) values ($1, $1, $2, $3, 'present')`,
        [...[kind, id, driver]],
      );
    await declare({ aws: { ...ALL_REAL, encryption: 'none' } });
    await resource('dns_record', 'rfc2136');
    await resource('network', 'local');

    expect(await encryption()).toBe('none');
    await cloud.rows(`update cloud_resources set driver = 'machines' where kind = 'network'`);
    expect(await encryption()).toBe('real');
  });

  it('warn of a cluster whose nodes do not replicate, before and after the order', async () => {
    await declare({ aws: { ...ALL_REAL, replication: 'none' } });
    const shape = { cloud: 'aws', region: 'us-east-1', tier: 'small', managed_tier: 'standard' };
    const preview = await cloud.main().post(`${cloud.environment}/deployments/preview`, shape);
    const accepted = await order();
    const detail = await cloud.main().get(`${cloud.environment}/deployments/${accepted.headers.get('ld-deployment')}`);
    const warning = expect.stringContaining('do not replicate');

    expect([preview.body.warnings, detail.body.warnings]).toEqual([[warning], [warning]]);
    expect(preview.body).toMatchObject({ orderable: true, blocked_by: [] });
    await declare({ aws: ALL_REAL });
  });

  it('warn of nodes that share a machine, before and after the order', async () => {
    await cloud.rows(`update cells set cloud_drivers = '{"aws": "machines"}'`);
    const machines = await cloud.rows<{ id: string }>(
      `insert into machines (cell, region, zone, hostname, address, processor, cpus, memory_mib, disk_gib, credential_hash, agent_version,
                             last_seen_at, status)
       select 'local', region, zone, 'host', '192.0.2.1', 'x64', 4, 8000, 100, '\\x00', '1', now() - age::interval, status
         from (values ('us-east-1', 'us-east-1a', '1 s', 'active'), ('us-east-1', 'us-east-1a', '1 s', 'active'),
                      ('us-east-1', 'us-east-1a', '1 s', 'draining'), ('us-east-1', 'us-east-1a', '2 min', 'active'),
                      ('us-east-1', 'us-east-1b', '1 s', 'active'), ('us-west-2', 'us-west-2a', '1 s', 'active'))
           as m (region, zone, age, status) returning id`,
    );
    const { cloud: key, region, tier, managed_tier } = PAID;
    const preview = async (more: object = {}) =>
      (
        await cloud
          .main()
          .post(`${cloud.environment}/deployments/preview`, { cloud: key, region, tier, managed_tier, ...more })
      ).body.warnings;
    const accepted = await order();
    const id = accepted.headers.get('ld-deployment');
    const detail = async () => (await cloud.main().get(`${cloud.environment}/deployments/${id}`)).body.warnings;
    const place = (node: number, machine: number, intent: string) =>
      cloud.rows(
        `insert into machine_nodes (name, node_id, deployment_id, machine_id, incarnation, broker, memory_mib, cpus, disk_gib, ports,
                                    is_dedicated, intent)
         select 'n' || id, id, $1, $3, 1, 'embedded', 512, 1, 10, '{}', false, $4 from nodes
          where deployment_id = $1 order by id limit 1 offset $2`,
        [id, node, machines[machine]?.id, intent],
      );

    expect(await preview()).toEqual([
      'The region has 2 machines in a zone for 3 nodes. Nodes on one machine fail together.',
    ]);
    expect(await preview({ managed_tier: 'enterprise', availability_mode: 'multi_az' })).toEqual([]);
    await place(0, 0, 'present');
    await place(1, 1, 'present');
    await place(2, 1, 'absent');
    expect(await detail()).toEqual([]);
    await cloud.rows(`update machine_nodes set intent = 'present'`);
    expect(await detail()).toEqual(['2 nodes of the deployment are on one machine, and fail together.']);
    await cloud.rows(`update cells set cloud_drivers = '{"aws": "local", "gcp": "local"}'`);
    expect(await preview()).toEqual([]);
  });

  it('and the limits of the plan block a preview with the refusal of the creation', async () => {
    const override = (text: string) => cloud.rows('update tenants set plan_overrides = $1', [text]);
    const { cloud: key, region, tier, managed_tier } = PAID;
    const preview = async () =>
      (await cloud.main().post(`${cloud.environment}/deployments/preview`, { cloud: key, region, tier, managed_tier }))
        .body;
    for (const limits of [
      '{"limits": {"concurrent_deployments_limit": 0}}',
      '{"limits": {"nodes_per_deployment_limit": 2}}',
      '{"deployment_tiers": {"small": 0}}',
      '{"flags": {"cluster_enabled": false}}',
    ]) {
      await override(limits);
      const { orderable, blocked_by: blockers } = await preview();
      const { body: refusal } = await order();

      expect(orderable).toBe(false);
      expect(blockers).toEqual([expect.objectContaining({ code: refusal.code, detail: refusal.detail })]);
      expect(refusal).toMatchObject(blockers[0].members);
    }
    await override('{}');
  });

  it('are those of the Supervisor that takes the order, and of a cloud the weakest of its regions', async () => {
    const insert = `insert into cells (cell, url, agent_url, regions, cloud_drivers, broker_driver, broker_version, version, features)
      select $1, url, agent_url, $2, cloud_drivers, 'nats', broker_version, version, $3 from cells where cell = 'local'`;
    await cloud.rows(insert, ['whole', ['aws/*'], JSON.stringify({ aws: { ...ALL_REAL, backup: 'none' } })]);
    await cloud.rows(insert, ['one', ['aws/us-east-1'], JSON.stringify({ aws: { ...ALL_REAL, dedicated: 'played' } })]);

    expect((await regionOf('us-east-1')).features).toEqual({ ...ALL_REAL, dedicated: 'played' });
    expect((await regionOf('eu-central-1')).features).toEqual({ ...ALL_REAL, backup: 'none' });
    expect(await featuresOfAws()).toEqual({ ...ALL_REAL, backup: 'none', dedicated: 'played' });
    const accepted = await order();
    const [{ cell }] = (await cloud.rows<{ cell: string }>('select cell from deployments where id = $1', [
      accepted.headers.get('ld-deployment'),
    ])) as [{ cell: string }];
    expect(cell).toBe('one');
  });

  it('are what a drained Supervisor has said last, and the region takes no order', async () => {
    await declare({ aws: { ...ALL_REAL, backup: 'none', dedicated: 'played' } });
    await cloud.rows('update cells set drained_at = now()');

    expect(await regionOf('us-east-1')).toMatchObject({ available: false, features: { dedicated: 'played' } });
    expect(await featuresOfAws()).toMatchObject({ dedicated: 'played', backup: 'none' });
    expect(await order()).toBeProblem('provider_unavailable', { status: 503 });
  });
});
