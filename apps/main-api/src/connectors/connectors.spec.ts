import { given } from '@libs/testing';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

const SHAPE = { cloud: 'aws', region: 'us-east-1', tier: 'small', managed_tier: 'standard', cluster: 'cluster' };
const SINK = { connector_type: 'sink', connector_key: 'http' };

describe('A connector of a deployment', () => {
  let cloud: TestMainApi;
  let deployment: number;
  let catalogue: string;
  let count = 0;
  beforeAll(async () => {
    cloud = await TestMainApi.open({ LANDLORD_ROLE: 'api' });
    await cloud.rows(`update tenants set plan_overrides = '{"deployment_tiers": {"small": 1000}}'`);
  });
  afterAll(() => cloud.close());
  /** A deployment that serves. No Supervisor runs here, so the rows are set as the Supervisor leaves them. */
  beforeEach(async () => {
    const body = { name: `d-${(count += 1)}`, ...SHAPE };
    const accepted = await cloud.main().post(`${cloud.environment}/deployments/managed`, body);
    deployment = Number(accepted.headers.get('ld-deployment'));
    catalogue = `${cloud.environment}/deployments/${deployment}/connectors`;
    await cloud.rows(`update operations set status = 'succeeded', finished_at = now() where deployment_id = $1`, [
      deployment,
    ]);
    await cloud.rows(`update deployment_runtimes set status = 'initialized' where deployment_id = $1`, [deployment]);
  });

  const activate = (body: object, key?: string) => cloud.main(key).post(`${catalogue}/activate`, body);
  const entry = async () =>
    (await cloud.main().get(`${catalogue}?results=100`)).body.items.find(
      ({ key, type }: { key: string; type: string }) => key === 'http' && type === 'sink',
    );

  it('is activated as a pending instance with an operation and an audit entry', async () => {
    expect((await entry()).activated_instances).toEqual([]);

    const accepted = await activate({ ...SINK, instance_key: 'hook', instance_name: 'To the shop' });

    expect(accepted.status).toBe(202);
    const [operation] = await cloud.rows('select type, status from operations where id = $1', [
      accepted.headers.get('ld-operation'),
    ]);
    expect(operation).toEqual({ type: 'run_connectors', status: 'pending' });
    const { activated_instances: instances } = await entry();
    expect(instances).toEqual([{ id: expect.any(Number), key: 'hook', name: 'To the shop', status: 'pending' }]);
    const entries = await cloud.rows(
      `select data from audit_entries where type = 'connector_activated' and data->'instance_id' = to_jsonb($1::int)`,
      [instances[0].id],
    );
    expect(entries).toHaveLength(1);
  });

  it('says in the catalogue why the nodes do not have it, and is refused then', async () => {
    const { items } = (await cloud.main().get(`${catalogue}?results=100`)).body;
    const reasons = items.map(({ available, unavailable_reason: reason }: any) => [available, typeof reason]);
    expect(new Set(reasons.map(String))).toEqual(new Set(['true,object', 'false,string']));
    const missing = await activate({ connector_type: 'sink', connector_key: 'iceberg' });
    expect(missing).toBeProblem('connector_unavailable');
    expect(missing.body.detail).toContain('do not contain this connector');
  });

  it('says what runs it, by the libraries that the Supervisor announces for nodes with iggy', async () => {
    const runtimes = async () => {
      const { items } = (await cloud.main().get(`${catalogue}?results=100`)).body;
      return Object.fromEntries(items.map(({ type, key, runtime }: any) => [`${type}:${key}`, runtime]));
    };
    expect(new Set(Object.values(await runtimes()))).toEqual(new Set(['landlord']));
    const iggy = { version: null, clusters: [], features: {}, connectors: ['sink:http', 'source:random'] };

    await cloud.rows(`update nodes set broker_driver = 'iggy', broker_version = '0.8.0' where deployment_id = $1`, [
      deployment,
    ]);
    const without = await runtimes();
    await cloud.rows(`update cells set brokers = jsonb_set(brokers, '{iggy}', $1)`, [JSON.stringify(iggy)]);

    expect([without['source:random'], without['sink:stdout']]).toEqual(['landlord', 'landlord']);
    expect(await runtimes()).toMatchObject({
      ...{ 'source:random': 'plugin', 'sink:stdout': 'landlord', 'sink:http': 'landlord' },
    });
    const accepted = await activate({ connector_type: 'source', connector_key: 'random', instance_key: 'dice' });
    const [instance] = await cloud.rows('select plugin_version from connector_instances where id = $1', [
      accepted.headers.get('ld-connector-instance'),
    ]);
    expect(instance).toEqual({ plugin_version: '0.4.0' });
  });

  it('is refused if it is unknown, if its key is taken, or if the deployment is not ready', async () => {
    expect(await activate({ ...SINK, connector_key: 'teleporter' })).toBeProblem('connector_not_found');
    expect(await activate({ ...SINK, instance_key: 'Not A Key' })).toBeProblem('validation_failed');
    expect((await activate({ ...SINK, instance_key: 'hook' })).status).toBe(202);
    await cloud.rows(`update operations set status = 'succeeded', finished_at = now() where deployment_id = $1`, [
      deployment,
    ]);
    expect(await activate({ ...SINK, instance_key: 'hook' })).toBeProblem('name_taken');
    await cloud.rows(`update deployment_runtimes set status = 'deleting' where deployment_id = $1`, [deployment]);
    expect(await activate({ ...SINK, instance_key: 'second' })).toBeProblem('state_conflict');

    expect((await entry()).activated_instances).toHaveLength(1);
  });

  it('needs its own permission, and exists only in its organization', async () => {
    const reader = await given.key(cloud, { permissions: { environment: ['deployment:connector:read'] } });
    const other = await given.tenant(cloud);
    const foreign = await given.key(cloud, { tenantId: other.tenantId });

    expect((await cloud.main(reader).get(catalogue)).status).toBe(200);
    expect(await activate(SINK, reader)).toBeProblem('insufficient_permissions', {
      permission: 'deployment:connector:manage',
    });
    expect(await activate(SINK, foreign)).toBeProblem('tenant_not_found');
    expect((await entry()).activated_instances).toEqual([]);
  });
});
