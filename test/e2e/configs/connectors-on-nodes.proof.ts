import { eventually, TestCloud, TestDeployment } from '@libs/testing';
import { Receiver } from './receiver.fixture.js';

interface Instance {
  id: number;
  key: string;
  status: string;
  status_reason: string | null;
  config_id: number;
}

const ORDERS = [{ stream: 'orders', topics: ['orders'], schema: 'json' }];

/** Connectors on real nodes, three nodes per deployment where the broker forms clusters. */
describe('A connector on nodes', () => {
  let cloud: TestCloud;
  let deployment: TestDeployment;
  let receiver: Receiver;
  /** Of the connector `early`. */
  let early: Receiver;
  beforeAll(async () => {
    cloud = await TestCloud.start({ env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
    [receiver, early] = [await Receiver.open(), await Receiver.open()];
    deployment = await TestDeployment.largest(cloud);
    await deployment.permit();
  });
  afterAll(async () => {
    await cloud.stop();
    await receiver.close();
    await early.close();
  });

  const configs = (plugin: string): string => `${deployment.live}/configs/connector:${plugin}`;
  const instances = async (): Promise<Instance[]> =>
    (await cloud.runtime().get(`${deployment.live}/connectors/instances`)).body;
  const statusOf = async (key: string): Promise<string | undefined> =>
    (await instances()).find((instance) => instance.key === key)?.status;
  const activate = async (connector_type: string, connector_key: string, instance_key: string): Promise<number> => {
    const body = { connector_type, connector_key, instance_key };
    const accepted = await cloud.main().post(`${deployment.path}/connectors/activate`, body);
    expect(accepted.status).toBe(202);
    await deployment.succeeds(accepted);
    return accepted.body.id;
  };
  const configure = async (plugin: string, name: string, values: object): Promise<string> => {
    const saved = await cloud.runtime().post(configs(plugin), { name, values, activate: true });
    expect(saved).toMatchObject({ status: 201 });
    return (await deployment.outcome(saved)).status;
  };
  const sink = (more: object = {}) => ({
    ...{ enabled: true, streams: ORDERS, plugin_config: { url: receiver.url, retry_delay: '50ms' }, ...more },
  });
  const activities = async () =>
    (await cloud.runtime().get(`${deployment.live}/activities?results=${(await deployment.nodes()).length}`)).body
      .items;
  const act = async (action: string): Promise<string> => {
    const accepted = await cloud.runtime().post(`${deployment.live}/activities/connectors/${action}`, {});
    return (await deployment.outcome(accepted)).status;
  };
  const publish = async (order: string, index = 0): Promise<void> => {
    const client = await deployment.admits(index);
    await client.send('orders', JSON.stringify({ order }));
    await client.close();
  };

  it('is active once the nodes have applied it, and moves nothing before it is configured', async () => {
    await activate('sink', 'http', 'hook');

    expect(await statusOf('hook')).toBe('active');
    await publish('too-early');
    expect(receiver.bodies).toEqual([]);
  });

  it('moves each message once, for each node it was published at', async () => {
    expect(await configure('sink:http', 'hook', sink())).toBe('succeeded');
    expect(await statusOf('hook')).toBe('active');

    const nodes = await deployment.nodes();
    for (const index of nodes.keys()) await publish(`from-${index}`, index);

    const counts = (): number[] => [...nodes.keys()].map((index) => receiver.count(`from-${index}`));
    await eventually('all have come', () => counts().every((count) => count > 0));
    expect(counts()).toEqual(nodes.map(() => 1));
    const items = await activities();
    expect(items.map(({ runtime, status }: { runtime: string; status: string }) => [runtime, status])).toEqual(
      nodes.map(() => ['connectors', 'completed']),
    );
    expect((await deployment.nodes())[0]?.runtimes).toContainEqual(
      expect.objectContaining({ runtime: 'connectors', status: 'running' }),
    );
  });

  it('of kind source produces messages that a sink consumes', async () => {
    await activate('source', 'random', 'dice');
    const values = {
      ...{ enabled: true, streams: ORDERS },
      plugin_config: { interval: '200ms', messages_range: [1, 2], payload_size: 20, max_count: 5 },
    };
    const before = receiver.bodies.length;

    expect(await configure('source:random', 'dice', values)).toBe('succeeded');

    await eventually('five more came', () => receiver.bodies.length >= before + 5);
    expect(await statusOf('dice')).toBe('active');
  });

  it('is inactive with a configuration that is not enabled, and active again with an enabled one', async () => {
    expect(await configure('sink:http', 'hook', sink({ enabled: false }))).toBe('succeeded');
    expect(await statusOf('hook')).toBe('inactive');

    expect(await configure('sink:http', 'hook', sink())).toBe('succeeded');
    expect(await statusOf('hook')).toBe('active');
  });

  it('fails with the reason when its configuration is invalid, until a valid one is applied', async () => {
    const added = { key: 'at', value: { computed: 'sunrise' } };
    const transforms = { add_fields: { enabled: true, fields: [added] } };
    expect(await configure('sink:http', 'hook', sink({ transforms }))).toBe('failed');

    const failed = (await instances()).find(({ key }) => key === 'hook');
    expect(failed).toMatchObject({ status: 'failed', status_reason: expect.stringMatching(/of a known name/) });
    expect(await statusOf('dice')).toBe('active');
    const rejected = (await activities()).filter(({ status }: { status: string }) => status === 'rejected');
    expect(rejected).toMatchObject([{ error: expect.stringMatching(/hook: .*of a known name/) }]);

    expect(await configure('sink:http', 'hook', sink())).toBe('succeeded');
    expect(await statusOf('hook')).toBe('active');
  });

  it('stops, starts and restarts with an activity, and is reconfigured with a task', async () => {
    expect(await act('stop')).toBe('succeeded');
    expect(await statusOf('hook')).toBe('inactive');
    expect(await act('start')).toBe('succeeded');
    expect(await statusOf('hook')).toBe('active');
    expect(await act('restart')).toBe('succeeded');
    const task = await cloud.runtime().post(`${deployment.live}/tasks`, { type: 'connectors:reconfigure' });
    await deployment.succeeds(task);

    const { body } = await cloud.runtime().get(`${deployment.live}/tasks`);
    expect(body[0]).toMatchObject({ type: 'connectors:reconfigure', status: 'completed' });
    await publish('after-all');
    await eventually('it came', () => receiver.count('after-all') === 1);
  });

  it('is configured and reconfigured while its activation runs, and everything else has to wait', async () => {
    const agents = (await cloud.nodeProcesses()).filter(({ kind }) => kind === 'agent');
    const activation = { connector_type: 'sink', connector_key: 'http', instance_key: 'early' };
    // Without its agents the activation cannot end.
    for (const { pid } of agents) process.kill(pid, 'SIGSTOP');
    const accepted = await cloud.main().post(`${deployment.path}/connectors/activate`, activation);
    expect(accepted.status).toBe(202);
    const operation = accepted.headers.get('ld-operation');
    expect((await instances()).find(({ key }) => key === 'early')?.config_id).toBe(accepted.body.config_id);

    const values = sink({ plugin_config: { url: early.url, retry_delay: '50ms' } });
    const saved = await cloud.runtime().post(configs('sink:http'), { name: 'early', values, activate: true });
    const task = await cloud.runtime().post(`${deployment.live}/tasks`, { type: 'connectors:reconfigure' });
    const restart = await cloud.runtime().post(`${deployment.live}/activities/connectors/restart`, {});
    const second = { ...activation, instance_key: 'second' };
    const other = await cloud.main().post(`${deployment.path}/connectors/activate`, second);
    for (const { pid } of agents) process.kill(pid, 'SIGCONT');

    expect([saved.status, task.status]).toEqual([201, 202]);
    expect([saved, task].map(({ headers }) => headers.get('ld-operation'))).toEqual([operation, operation]);
    for (const refused of [restart, other]) {
      expect(refused).toBeProblem('state_conflict', { status: 409, operation_id: Number(operation), retryable: true });
      expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
    await deployment.succeeds(accepted);
    expect((await instances()).map(({ key }) => key)).not.toContain('second');
    const applied = { status: 'active', config_id: saved.body.id };
    expect((await instances()).find(({ key }) => key === 'early')).toMatchObject(applied);
    await publish('for-early');
    await eventually('the saved configuration works', () => early.count('for-early') === 1);
    // The activation has applied it: no further operation did.
    const later = `select id from operations where deployment_id = $1 and id > $2`;
    expect(await cloud.rows(later, [deployment.id, operation])).toEqual([]);
  });

  it('moves nothing after its deletion, and leaves no rows when its deployment is deleted', async () => {
    for (const { id } of await instances())
      expect((await cloud.runtime().delete(`${deployment.live}/connectors/instances/${id}`)).status).toBe(204);
    await eventually('no node runs connectors', async () =>
      (await deployment.nodes()).every(({ runtimes }) => runtimes.every(({ runtime }) => runtime === 'broker')),
    );
    await publish('too-late');
    await activate('sink', 'stdout', 'log');
    expect(receiver.count('too-late')).toBe(0);

    await deployment.delete();

    const [rest] = await cloud.rows(
      `select (select count(*)::int from connector_instances) as instances,
              (select count(*)::int from configs where deployment_id = $1) as configs`,
      [deployment.id],
    );
    expect(rest).toEqual({ instances: 0, configs: 0 });
  });
});
