import { Secrets } from '@libs/persistence';
import {
  describeWithIggyConnectors,
  eventually,
  IGGY_SETTINGS,
  IggyHttp,
  TestCloud,
  TestDeployment,
} from '@libs/testing';
import { Receiver } from './receiver.fixture.js';

interface Instance {
  key: string;
  status: string;
  status_reason: string | null;
  version: string;
  metrics: { moved: number; failed: number } | null;
}

const ORDERS = [{ stream: 'orders', topics: ['new'], schema: 'json' }];
const DICE = { interval: '20ms', messages_range: [10, 11], payload_size: 20 };
const source = (plugin_config: object, streams = ORDERS) => ({ enabled: true, streams, plugin_config });

/** Connectors on a real iggy-server, with and without a library of the real iggy-connectors. */
describeWithIggyConnectors('A connector of a deployment with iggy', () => {
  let cloud: TestCloud;
  let deployment: TestDeployment;
  let receiver: Receiver;
  beforeAll(async () => {
    cloud = await TestCloud.start({ env: { ...IGGY_SETTINGS, ALLOW_PRIVATE_DESTINATIONS: 'true' } });
    receiver = await Receiver.open();
    deployment = await TestDeployment.free(cloud);
  });
  afterAll(async () => {
    await cloud.stop();
    await receiver.close();
  });

  const configs = (plugin: string): string => `${deployment.live}/configs/connector:${plugin}`;
  const activate = async (connector_type: string, connector_key: string, instance_key: string): Promise<void> => {
    const body = { connector_type, connector_key, instance_key };
    await deployment.succeeds(await cloud.main().post(`${deployment.path}/connectors/activate`, body));
  };
  const configure = async (plugin: string, name: string, values: object): Promise<string> => {
    const saved = await cloud.runtime().post(configs(plugin), { name, values, activate: true });
    expect(saved).toMatchObject({ status: 201 });
    return (await deployment.outcome(saved)).status;
  };
  const instance = async (key: string): Promise<Instance> => {
    const { body } = await cloud.runtime().get(`${deployment.live}/connectors/instances`);
    return (body as Instance[]).find((one) => one.key === key) as Instance;
  };
  const comes = (what: string, key: string, fits: (seen: Instance) => boolean): Promise<Instance> =>
    eventually(what, async () => {
      const seen = await instance(key);
      return fits(seen) ? seen : null;
    });
  /** Replaces stored values by values that an earlier release took, and today's rules refuse. */
  const store = async (plugin: string, name: string, values: object): Promise<void> => {
    const kind = `connector:${plugin}`;
    const saved = await cloud.runtime().post(configs(plugin), { name, values: source(DICE) });
    const { version } = saved.body;
    const location = {
      table: 'configs' as const,
      column: 'config_values' as const,
      row: `${deployment.id}/${kind}/${name}/${version}`,
    };
    const sealed = new Secrets(cloud.supervisorEnv['LANDLORD_SECRET_KEYS'] ?? '').seal(
      location,
      JSON.stringify(values),
    );
    await cloud.rows('update configs set config_values = $1 where id = $2', [sealed, saved.body.id]);
    const applied = await cloud.runtime().put(`${configs(plugin)}/${name}/activate/${version}`, {});
    await deployment.outcome(applied);
  };
  /** What the log of the connectors says about this connector. */
  const restarts = async (key: string): Promise<number> => {
    const lines = await cloud.rows<{ message: string }>(
      `select message from node_logs where message like 'connector restarted%' and message like '%' || $1 || '%'`,
      [key],
    );
    return lines.length;
  };

  it('runs by a library where the nodes have one, and otherwise by Landlord, as the catalogue says', async () => {
    const { items } = (await cloud.main().get(`${deployment.path}/connectors?results=100`)).body;
    const of = (type: string, key: string) =>
      items.find((item: { type: string; key: string }) => item.type === type && item.key === key);

    expect(of('source', 'random')).toMatchObject({ runtime: 'plugin', version: '0.4.0', available: true });
    expect(of('sink', 'stdout')).toMatchObject({ runtime: 'plugin', version: '0.4.0', available: true });
    expect(of('sink', 'http')).toMatchObject({ runtime: 'landlord', available: true });
    expect(of('sink', 's3')).toMatchObject({ runtime: 'landlord', available: true });
    expect(of('sink', 'iceberg')).toMatchObject({
      ...{ runtime: 'plugin', available: false },
      unavailable_reason: 'The nodes do not have the library of this connector.',
    });
  });

  it('moves messages from a source through a stream to a service, and counts them', async () => {
    await activate('sink', 'http', 'hook');
    expect(await configure('sink:http', 'hook', source({ url: receiver.url }))).toBe('succeeded');
    await activate('source', 'random', 'dice');
    expect(await configure('source:random', 'dice', source({ ...DICE, max_count: 40 }))).toBe('succeeded');

    const dice = await comes('the source has sent', 'dice', ({ metrics }) => metrics?.moved === 40);
    const hook = await comes('the sink has delivered', 'hook', ({ metrics }) => metrics?.moved === 40);

    expect([dice, hook]).toMatchObject([
      { status: 'active', version: '0.4.0', metrics: { moved: 40, failed: 0 } },
      { status: 'active', metrics: { moved: 40, failed: 0 } },
    ]);
    expect(receiver.bodies).toHaveLength(40);
    const [node] = await deployment.nodes();
    const { username, password } = await deployment.login();
    const client = await IggyHttp.signIn(Number(node?.endpoints.http?.split(':').at(-1)), password, username);
    const { body } = await client.call<{ messages_count: number }>('GET', '/streams/orders/topics/new');
    expect(body.messages_count).toBe(40);
  });

  it('is refused with values on which its library panics', async () => {
    const values = source({ ...DICE, messages_range: [10, 10] });

    const refused = await cloud.runtime().post(configs('source:random'), { name: 'dice', values });

    const issue = { path: '/values/plugin_config/messages_range', code: 'rule_broken' };
    expect(refused).toBeProblem('validation_failed', { field_issues: [expect.objectContaining(issue)] });
  });

  it('fails with the words of the panic of its library, is restarted alone, and takes its repair', async () => {
    await activate('source', 'random', 'endless');
    const streams = [{ stream: 'orders', topics: ['more'], schema: 'json' }];
    expect(await configure('source:random', 'endless', source(DICE, streams))).toBe('succeeded');
    await store('source:random', 'dice', source({ ...DICE, messages_range: [10, 10] }));

    const failed = await comes('the panic is told', 'dice', ({ status }) => status === 'failed');
    await eventually('restarts after the panic', async () => (await restarts('dice')) >= 2);
    const before = (await instance('endless')).metrics?.moved ?? 0;
    await comes('the other goes on', 'endless', ({ metrics }) => (metrics?.moved ?? 0) > before);

    expect(failed.status_reason).toMatch(/panicked: .*EmptyRange/);
    expect(await restarts('endless')).toBe(0);
    expect(await configure('source:random', 'dice', source(DICE))).toBe('succeeded');
    const repaired = await comes('it works', 'dice', ({ metrics }) => (metrics?.moved ?? 0) > 40);
    expect(repaired).toMatchObject({ status: 'active', status_reason: null });
  });
});
