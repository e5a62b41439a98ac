import { eventually, type PlayedNode } from '@libs/testing';
import { LoginRefusalsRepository } from '@libs/persistence/runtime';
import { GatewayUnderTest } from '../../test/gateway.fixture.js';

describe('Refused sign-ins', () => {
  let gateway: GatewayUnderTest;
  let deployment: number;
  let nodes: PlayedNode[];

  beforeAll(async () => {
    gateway = await GatewayUnderTest.open();
  });
  afterAll(() => gateway.close());
  beforeEach(async () => {
    deployment = await gateway.deployment();
    nodes = [await gateway.node(deployment), await gateway.node(deployment)];
  });

  const report = async (node: PlayedNode | undefined, addresses: string[], at: number): Promise<number | undefined> => {
    const refused_logins = addresses.map((address) => ({ address, count: 3, at }));
    return (await node?.status({ refused_logins }))?.status;
  };
  const recorded = (at: number) =>
    eventually('the refusals are recorded', async () => {
      const rows = await gateway.bench.rows(
        'select from login_refusals where deployment_id = $1 and last_at >= to_timestamp($2 / 1000.0)',
        [deployment, at],
      );
      return rows.length > 0;
    });
  const alarms = async (): Promise<string[]> =>
    (
      await gateway.bench.rows<{ address: string }>(
        `select data ->> 'address' as address from outbox where type = 'broker_login_refused' and deployment_id = $1 order by id`,
        [deployment],
      )
    ).map(({ address }) => address);

  it('are told once an hour for each address, whichever nodes report them', async () => {
    await report(nodes[0], ['192.0.2.1', '192.0.2.2'], 1_000);
    await recorded(1_000);
    await report(nodes[1], ['192.0.2.1'], 2_000);
    await recorded(2_000);
    expect(await alarms()).toEqual(['192.0.2.1', '192.0.2.2']);

    await gateway.bench.rows(`update login_refusals set announced_at = now() - interval '61 minutes'`);
    await report(nodes[0], ['192.0.2.1'], 1_000);
    await report(nodes[0], ['192.0.2.1'], 3_000);
    await recorded(3_000);
    expect(await alarms()).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.1']);
  });

  it('of many addresses do not flood the channels, and hurt no other deployment', async () => {
    const many = (start: number) => Array.from({ length: 20 }, (_, index) => `192.0.2.${start + index}`);
    await report(nodes[0], many(0), 1_000);
    await recorded(1_000);
    await report(nodes[0], many(100), 2_000);
    const [attacked, other] = [deployment, await gateway.deployment()];
    await report(await gateway.node(other), ['192.0.2.200'], 3_000);
    deployment = other;
    await recorded(3_000);

    expect(await alarms()).toEqual(['192.0.2.200']);
    deployment = attacked;
    expect(await alarms()).toEqual([...many(0)].sort());
  });

  it('of many addresses do not flood the channels when several nodes report at once', async () => {
    const refusals = new LoginRefusalsRepository(gateway.bench.database);
    const reported = (from: number) =>
      nodes.flatMap((node, index) =>
        Array.from({ length: 12 }, (_, address) => ({
          ...{ nodeId: node.id, address: `192.0.2.${from + index * 12 + address}`, at: from },
        })),
      );
    const first = await refusals.record(reported(1));
    expect(first).toHaveLength(20);
    expect(await refusals.record(reported(101))).toEqual([]);

    await gateway.bench.rows(
      `update login_refusals set announced_at = now() - interval '61 minutes' where deployment_id = $1 and address = $2`,
      [deployment, first[0]?.address],
    );
    const again = await refusals.record([...reported(1), ...reported(101)].map((one) => ({ ...one, at: 201 })));
    expect(again).toHaveLength(1);
  });

  it('are deleted a day later, also of deployments that report no more', async () => {
    const silent = await gateway.node(await gateway.deployment());
    await report(silent, ['192.0.2.1'], 1_000);
    await report(nodes[0], ['192.0.2.1', '192.0.2.2'], 1_000);
    await recorded(1_000);
    await gateway.bench.rows(`update login_refusals set announced_at = now() - interval '25 hours'`);
    await report(nodes[0], ['192.0.2.2'], 2_000);
    await recorded(2_000);

    const rows = await gateway.bench.rows('select deployment_id::int as id, address from login_refusals');
    expect(rows).toEqual([{ id: deployment, address: '192.0.2.2' }]);
    expect((await alarms()).filter((address) => address === '192.0.2.2')).toHaveLength(2);
  });

  it('that a node reports in another form are refused', async () => {
    expect(await report(nodes[0], Array<string>(21).fill('192.0.2.1'), 1)).toBe(400);
    expect(await report(nodes[0], ['x'.repeat(1_000)], 1)).toBe(400);
    expect(await report(nodes[0], ['192.0.2.1'], -1)).toBe(400);
  });
});
