import {
  FORMS_CLUSTERS,
  itWithCluster,
  takePort,
  TestCloud,
  TestDeployment,
  type ApiAnswer,
  type SeenNode,
} from '@libs/testing';

/** Activities on real nodes, three nodes per deployment. */
describe('An activity', () => {
  let cloud: TestCloud;
  let deployment: TestDeployment;
  let path: string;
  let squatter = async (): Promise<void> => undefined;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    deployment = await TestDeployment.largest(cloud);
    path = `${deployment.live}/activities`;
    await deployment.permit();
  });
  afterEach(() => squatter());
  afterAll(() => cloud.stop());

  /** Sends no body unless one is given. */
  const ask = (action: string, body?: object): Promise<ApiAnswer> =>
    cloud.runtime().call('POST', `${path}/broker/${action}`, body && { body });
  const listed = async () => (await cloud.runtime().get(path)).body;
  const ids = async (): Promise<number[]> => (await deployment.nodes()).map(({ id }) => id);
  const startsOf = (nodes: SeenNode[]): string[] => nodes.map(({ runtimes }) => runtimes[0]?.started_at ?? '');
  const statuses = async (): Promise<string[]> => (await deployment.nodes()).map(({ status }) => status);

  it('restarts all nodes one after the other, with one entry for each node', async () => {
    const before = await deployment.nodes();

    const accepted = await ask('restart');
    await deployment.succeeds(accepted);

    const after = startsOf(await deployment.nodes());
    const { items, total_results } = await listed();
    const { tenant_id, division_id, environment_id } = cloud.installation;
    const [author] = await cloud.rows('select owner_id::int as id from tenants where id = $1', [tenant_id]);
    expect(accepted.status).toBe(202);
    expect(after.every((start, index) => start > (startsOf(before)[index] ?? ''))).toBe(true);
    expect([...after].sort()).toEqual(after);
    expect(total_results).toBe(before.length);
    expect(items.map(({ node_id }: { node_id: number }) => node_id)).toEqual([...(await ids())].reverse());
    expect(items[0]).toEqual({
      ...{ id: expect.any(Number), runtime: 'broker', action: 'restart', status: 'completed', error: null },
      ...{ tenant_id, division_id, environment_id, deployment_id: deployment.id, node_id: (await ids()).at(-1) },
      ...{ author_id: author?.['id'], created_at: expect.any(String), finished_at: expect.any(String) },
    });
  });

  itWithCluster('stops the nodes that it names, and they stay stopped until they are started', async () => {
    const [, second = 0] = await ids();
    await deployment.succeeds(await ask('stop', { nodes: [second] }));
    expect(await statuses()).toEqual(['running', 'stopped', 'running']);
    expect((await deployment.detail()).status).toBe('initialized');
    await expect(deployment.client(1)).rejects.toThrow();

    await deployment.succeeds(await ask('restart', { nodes: [(await ids())[2] ?? 0] }));
    expect(await statuses()).toEqual(['running', 'stopped', 'running']);

    await deployment.succeeds(await ask('start', { nodes: [second] }));
    await (await deployment.admits(1)).close();
  });

  it('that stops every node stops the deployment, and operations that need a running deployment are refused', async () => {
    await deployment.succeeds(await ask('stop', {}));

    expect((await deployment.detail()).status).toBe('stopped');
    expect(new Set(await statuses())).toEqual(new Set(['stopped']));
    // A Free deployment has no upgrades.
    if (FORMS_CLUSTERS)
      expect(await cloud.main().post(`${deployment.path}/upgrade`, { tier: 'medium' })).toBeProblem('state_conflict', {
        state: 'stopped',
      });
    expect(await cloud.runtime().post(`${deployment.live}/credentials/rotate`)).toBeProblem('state_conflict');

    await deployment.succeeds(await ask('start'));
    expect((await deployment.detail()).status).toBe('initialized');
    await (await deployment.admits(0)).close();
  });

  it('excludes other changes of the deployment while it runs', async () => {
    const first = await ask('restart');

    expect(await ask('stop')).toBeProblem('state_conflict', {
      operation_id: Number(first.headers.get('ld-operation')),
    });
    await deployment.succeeds(first);
  });

  it.each([
    ['an unknown runtime', 'kafka/restart', {}, 400],
    ['an unknown action', 'broker/explode', {}, 400],
    ['a configuration where none belongs', 'broker/stop:1', {}, 400],
    ['no configuration where one belongs', 'broker/reconfigure', {}, 400],
    ['a configuration of somebody else', 'broker/reconfigure:999999', {}, 404],
    ['an unknown node', 'broker/stop', { nodes: [999_999] }, 400],
    ['no node', 'broker/stop', { nodes: [] }, 400],
    ['a node twice', 'broker/stop', { nodes: [1, 1] }, 400],
    ['connectors, while none is active', 'connectors/restart', {}, 409],
  ])('is refused with %s', async (_, action, body, status) => {
    const before = (await listed()).total_results;

    expect((await cloud.runtime().post(`${path}/${action}`, body)).status).toBe(status);
    expect((await listed()).total_results).toBe(before);
  });

  it('fails with the message of a broker that does not start', async () => {
    const [node] = await deployment.nodes();
    const id = node?.id ?? 0;
    await deployment.succeeds(await ask('stop', { nodes: [id] }));
    squatter = await takePort(node?.endpoints.tcp ?? '');

    const outcome = await deployment.outcome(await ask('start', { nodes: [id] }));

    expect(outcome.status).toBe('failed');
    expect((await listed()).items[0]).toMatchObject({
      status: 'rejected',
      error: expect.stringMatching(/port|EADDRINUSE/i),
    });
    await squatter();
    await deployment.succeeds(await ask('start', { nodes: [id] }));
  });
});
