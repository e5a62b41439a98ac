import { OperationCommands } from '@libs/operator';
import { describeWithCluster, eventually, TestCloud, type ApiAnswer } from '@libs/testing';

const SHAPE = { cloud: 'aws', region: 'us-east-1', tier: 'small', managed_tier: 'standard', cluster: 'cluster' };

/** Upgrades on real nodes, three nodes per deployment. */
describeWithCluster('An upgrade', () => {
  let cloud: TestCloud;
  beforeAll(async () => {
    cloud = await TestCloud.start();
  });
  afterAll(() => cloud.stop());

  const ended = async (accepted: ApiAnswer): Promise<string> => {
    const id = accepted.headers.get('ld-operation');
    const { body } = await eventually(
      'the operation ends',
      async () => {
        const answer = await cloud.main().get(`${cloud.tenant}/operations/${id}?wait=20`);
        return ['succeeded', 'failed', 'cancelled'].includes(answer.body.status) ? answer : null;
      },
      120_000,
    );
    return body.status;
  };

  const nodesOf = async (id: string | null): Promise<SeenNode[]> =>
    (await cloud.runtime().get(`/deployments/${id}`)).body.nodes;

  interface SeenNode {
    name: string;
    status: string;
    variant: string;
    storage: { size: number };
    runtimes: { status: string; started_at: string }[];
  }

  it('gives the nodes more resources one after the other, and is part of the record', async () => {
    const created = await cloud.main().post(`${cloud.environment}/deployments/managed`, { name: 'growing', ...SHAPE });
    expect(await ended(created)).toBe('succeeded');
    const id = created.headers.get('ld-deployment');
    const path = `${cloud.environment}/deployments/${id}`;
    const nodes = (): Promise<SeenNode[]> => nodesOf(id);
    const startsOf = (list: SeenNode[]): string[] => list.map(({ runtimes }) => runtimes[0]?.started_at ?? '');
    const before = startsOf(await nodes());

    const accepted = await cloud.main().post(`${path}/upgrade`, { tier: 'medium', storage: { size: 150 } });
    expect(accepted.status).toBe(202);
    expect((await cloud.main().get(path)).body).toMatchObject({
      ...{ tier: 'small', can_upgrade: false, upgrades: [] },
      pending_upgrade: { tier: 'medium', storage: { size: 150 } },
    });
    expect(await cloud.main().post(`${path}/upgrade`, { tier: 'large' })).toBeProblem('state_conflict');
    // The test reads the documents, because the followers of an embedded cluster do not serve while the leader
    // restarts. It only counts nodes with the new size: the backup before the upgrade runs on all nodes at once.
    let mostAway = 0;
    const watch = setInterval(() => {
      void cloud
        .rows(
          `select 1 from nodes n join node_documents d on d.node_id = n.id
            where n.deployment_id = $1 and n.variant = 'medium' and n.observed_generation < d.generation`,
          [id],
        )
        .then((rows) => {
          mostAway = Math.max(mostAway, rows.length);
        });
    }, 50);
    expect(await ended(accepted)).toBe('succeeded');
    clearInterval(watch);

    const after = await nodes();
    expect(mostAway).toBe(1);
    expect(after.map(({ variant, storage }) => [variant, storage.size])).toEqual(Array(3).fill(['medium', 150]));
    expect(startsOf(after).every((start, index) => start > (before[index] ?? ''))).toBe(true);
    expect([...startsOf(after)].sort()).toEqual(startsOf(after));
    const { body } = await eventually('it joins the history', async () => {
      const answer = await cloud.main().get(path);
      return answer.body.upgrades.length > 0 ? answer : null;
    });
    expect(body).toMatchObject({ tier: 'medium', pending_upgrade: null });
    expect(body.upgrades[0]).toMatchObject({
      from: { tier: 'small', storage: { size: 100 }, managed_tier: 'standard' },
      to: { tier: 'medium', storage: { size: 150 }, managed_tier: 'standard' },
    });

    const soon = await cloud.main().post(`${path}/upgrade`, { tier: 'large' });
    expect(soon).toBeProblem('upgrade_cooldown');
    expect(Number(soon.headers.get('retry-after'))).toBeGreaterThan(800);
    const terms = await cloud.main().post(`${path}/upgrade`, { managed_tier: 'enterprise' });
    expect(await ended(terms)).toBe('succeeded');
    expect(startsOf(await nodes())).toEqual(startsOf(after));
    expect((await cloud.main().get(path)).body).toMatchObject({
      managed_tier: 'enterprise',
      retention: { telemetry_days: 90 },
    });
    expect(
      await cloud.rows(`select type from outbox where deployment_id = $1 and type like '%upgraded' order by id`, [id]),
    ).toEqual([{ type: 'deployment_upgraded' }, { type: 'deployment_upgraded' }]);
  });

  it('that an operator cancels halfway restores the old shape, on the nodes and in the record', async () => {
    const created = await cloud.main().post(`${cloud.environment}/deployments/managed`, { name: 'halfway', ...SHAPE });
    expect(await ended(created)).toBe('succeeded');
    const id = created.headers.get('ld-deployment');
    const path = `${cloud.environment}/deployments/${id}`;
    const accepted = await cloud.main().post(`${path}/upgrade`, { tier: 'large' });
    await eventually('a node has its new size', async () => {
      const rows = await cloud.rows(`select 1 from nodes where deployment_id = $1 and variant = 'large'`, [id]);
      return rows.length > 0;
    });

    const operation = Number(accepted.headers.get('ld-operation'));
    await cloud.asOperator((session) => new OperationCommands(session).cancel(operation, 'enough'));

    expect(await ended(accepted)).toBe('cancelled');
    const { body } = await eventually('the record allows another upgrade', async () => {
      const answer = await cloud.main().get(path);
      return answer.body.can_upgrade ? answer : null;
    });
    expect(body).toMatchObject({ tier: 'small', pending_upgrade: null, upgrades: [] });
    const detail = (await cloud.runtime().get(`/deployments/${id}`)).body;
    expect(detail.status).toBe('initialized');
    expect(detail.nodes.map(({ variant }: SeenNode) => variant)).toEqual(Array(3).fill('small'));
    // Followers report `starting` until their leader, which was started last, is ready.
    await eventually('all nodes serve again', async () =>
      (await nodesOf(id)).every(({ status }) => status === 'running'),
    );
  });
});
