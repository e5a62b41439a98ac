import { TestMainApi } from '../../test/test-main-api.fixture.js';

const FREE = { cloud: 'aws', region: 'us-east-1' };
const SHAPE = { ...FREE, tier: 'small', managed_tier: 'standard', cluster: 'cluster' };
/** What the brokers of a node do, by its driver and its release. */
const PROTOCOLS = {
  embedded: {
    ...{ mqtt: ['3.1', '3.1.1'], qos: [0, 1, 2], shared_subscriptions: false, iggy: null },
    refused_topics: { contains: [], begins_with: ['$SYS/'] },
  },
  nats: {
    ...{ mqtt: ['3.1.1'], qos: [0, 1], shared_subscriptions: false, iggy: null },
    refused_topics: { contains: ['.', ' '], begins_with: ['$SYS/', '$JS/', '$MQTT/'] },
  },
  iggy: {
    ...{ mqtt: [], qos: [], shared_subscriptions: false, iggy: '1' },
    refused_topics: { contains: [], begins_with: [] },
  },
};

describe('The detail of a deployment', () => {
  let cloud: TestMainApi;
  let number = 0;
  beforeAll(async () => {
    cloud = await TestMainApi.open();
  });
  afterAll(() => cloud.close());

  async function ordered(): Promise<{ path: string; id: string }> {
    const body = { ...SHAPE, name: `ordered-${(number += 1)}` };
    const { headers } = await cloud.main().post(`${cloud.environment}/deployments/managed`, body);
    const id = headers.get('ld-deployment') ?? '';
    return { path: `${cloud.environment}/deployments/${id}`, id };
  }
  const clientsOf = async (path: string) => (await cloud.main().get(path)).body.clients as unknown;

  it('says that no client may connect, until an access rule is in force', async () => {
    const { path, id } = await ordered();
    expect(await clientsOf(path)).toBe('none_allowed');

    await cloud.rows(
      `insert into access_rules (deployment_id, name, cidr_blocks, rules, valid_to)
       values ($1, 'office', '{127.0.0.0/8}', '{"broker_tcp": true}', now() + interval '1 hour')`,
      [id],
    );
    expect(await clientsOf(path)).toBeNull();

    await cloud.rows(`update access_rules set valid_to = now() - interval '1 second' where deployment_id = $1`, [id]);
    expect(await clientsOf(path)).toBe('none_allowed');
  });

  it('says that clients may connect to a new Free deployment', async () => {
    const { headers } = await cloud
      .main()
      .post(`${cloud.division}/deployments/starter`, { ...FREE, deployment_name: 'free' });
    const [environment, id] = ['ld-environment', 'ld-deployment'].map((name) => headers.get(name));

    expect(await clientsOf(`${cloud.division}/environments/${environment}/deployments/${id}`)).toBeNull();
  });

  it.each(Object.entries(PROTOCOLS))('says what the broker %s does', async (driver, protocols) => {
    const { path, id } = await ordered();
    await cloud.rows('update nodes set broker_driver = $2 where deployment_id = $1', [id, driver]);

    expect((await cloud.main().get(path)).body.protocols).toEqual(protocols);
  });

  it('can be sent back as it was read', async () => {
    const { path } = await ordered();
    const { body } = await cloud.main().get(path);

    const { status, body: changed } = await cloud.main().put(path, { ...body, description: 'for orders' });

    expect(status).toBe(200);
    expect(changed).toMatchObject({ description: 'for orders', clients: 'none_allowed', protocols: body.protocols });
  });
});
