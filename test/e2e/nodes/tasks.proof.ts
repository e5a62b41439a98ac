import {
  BROKER_OF_THE_RUN,
  eventually,
  itWithCluster,
  takePort,
  TestCloud,
  TestDeployment,
  type ApiAnswer,
  type SeenNode,
} from '@libs/testing';

/** The port that a setting closes. Nodes of iggy need their HTTP port. */
const LISTENER = BROKER_OF_THE_RUN === 'iggy' ? 'websocket' : 'http';

/** The active configuration on real nodes, three nodes per deployment where the broker forms clusters. */
describe('A task', () => {
  let cloud: TestCloud;
  let deployment: TestDeployment;
  let tasks: string;
  let configs: string;
  let addresses: string[] = [];
  let squatter = async (): Promise<void> => undefined;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    deployment = await TestDeployment.largest(cloud);
    await deployment.permit();
    tasks = `${deployment.live}/tasks`;
    configs = `${deployment.live}/configs/broker`;
  });
  afterEach(() => squatter());
  afterAll(() => cloud.stop());

  const activate = async (values: object): Promise<number> => {
    const saved = await cloud.runtime().post(configs, { values, activate: true });
    expect(saved.status).toBe(201);
    return Number(saved.headers.get('ld-config'));
  };
  const apply = (): Promise<ApiAnswer> => cloud.runtime().post(tasks, { type: 'broker:reconfigure' });
  const newest = async () => (await cloud.runtime().get(tasks)).body[0];
  const startsOf = (nodes: SeenNode[]): string[] => nodes.map(({ runtimes }) => runtimes[0]?.started_at ?? '');
  const running = async (): Promise<number[]> =>
    (
      await cloud.rows<{ id: number }>(
        'select config_id::int as id from nodes where deployment_id = $1 order by ordinal',
        [deployment.id],
      )
    ).map(({ id }) => id);
  /** Whether the port answers HTTP: WebSocket is an upgrade of it. */
  const isOpen = async (address: string | null | undefined): Promise<boolean> =>
    fetch(`http://${address}/ping`).then(
      () => true,
      () => false,
    );

  it('applies the active configuration to one node after the other; before the task no node changes', async () => {
    const before = await deployment.nodes();
    addresses = before.map(({ endpoints }) => endpoints[LISTENER] ?? '');
    await eventually('the port is open', async () => isOpen(addresses.at(-1)));
    const config = await activate({ [LISTENER]: { enabled: false } });
    expect(startsOf(await deployment.nodes())).toEqual(startsOf(before));

    const accepted = await apply();
    expect(accepted.status).toBe(202);
    expect(accepted.body).toMatchObject({
      type: 'broker:reconfigure',
      config_id: config,
      author_id: expect.any(Number),
    });
    expect(['pending', 'processing']).toContain(accepted.body.status);
    expect(accepted.headers.get('ld-task')).toBe(String(accepted.body.id));
    await deployment.succeeds(accepted);

    const after = await deployment.nodes();
    expect(await newest()).toMatchObject({
      ...{ id: accepted.body.id, status: 'completed', finished_at: expect.any(String) },
      nodes: after.map(({ id }) => ({ node_id: id, status: 'completed' })),
    });
    expect([...startsOf(after)].sort()).toEqual(startsOf(after));
    for (const address of addresses) expect(await isOpen(address)).toBe(false);
    expect(after.map(({ endpoints }) => endpoints[LISTENER])).toEqual(after.map(() => null));
    expect(await running()).toEqual(after.map(() => config));
  });

  it('restarts no node if the nodes already run the configuration', async () => {
    const before = startsOf(await deployment.nodes());

    await deployment.succeeds(await apply());

    expect(startsOf(await deployment.nodes())).toEqual(before);
  });

  it('that fails at the start of the broker restores the first node, changes no other node, and reports the message', async () => {
    const good = (await running())[0] ?? 0;
    const before = await deployment.nodes();
    // Another process uses the port. No validation of the values can detect this.
    squatter = await takePort(addresses[0] ?? '');
    const bad = await activate({ [LISTENER]: { enabled: true } });

    const outcome = await deployment.outcome(await apply());

    expect(outcome.status).toBe('failed');
    const task = await newest();
    const said = expect.stringMatching(/EADDRINUSE|port|address already in use/i);
    const others = before.slice(1);
    const spared = { status: 'rejected', error: 'not started: the activity failed on another node' };
    expect(task).toMatchObject({ status: 'rejected', config_id: bad });
    expect(task.nodes).toMatchObject([{ status: 'rejected', error: said }, ...others.map(() => spared)]);
    expect(await running()).toEqual(before.map(() => good));
    const after = await deployment.nodes();
    expect(after.map(({ status }) => status)).toEqual(before.map(() => 'running'));
    expect(startsOf(after).slice(1)).toEqual(startsOf(before).slice(1));
    await (await deployment.admits(0)).close();
  });

  itWithCluster('is possible for one node and one configuration, as an activity', async () => {
    const [, second] = await deployment.nodes();
    const config = await activate({ [LISTENER]: { enabled: true } });
    const path = `${deployment.live}/activities/broker/reconfigure:${config}`;

    await deployment.succeeds(await cloud.runtime().post(path, { nodes: [second?.id] }));

    expect((await running()).map((id) => id === config)).toEqual([false, true, false]);
    expect(await isOpen((await deployment.nodes())[1]?.endpoints[LISTENER])).toBe(true);
  });

  it.each([
    ['an unknown type', { type: 'broker:explode' }, 400],
    ['no type', {}, 400],
    ['connectors, while none is active', { type: 'connectors:reconfigure' }, 409],
  ])('is refused with %s', async (_, body, status) => {
    expect((await cloud.runtime().post(tasks, body)).status).toBe(status);
  });
});
