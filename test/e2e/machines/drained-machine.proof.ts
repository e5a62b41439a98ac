import { MachineCommands } from '@libs/operator';
import { eventually, nodeProcesses, TestDeployment } from '@libs/testing';
import type { JoinedHost } from './joined-host.js';
import { describeOnNetwork, MachineWorld, MULTI_AZ, type Placed } from './machine-world.js';

/** A removed node counts as silent after half of NODE_UNREACHABLE_SECONDS. */
const MOVED_WITHIN_MS = 120_000;

describeOnNetwork('A drained machine', () => {
  let world: MachineWorld;
  beforeAll(async () => {
    world = await MachineWorld.start();
  });
  afterAll(() => world.stop());

  const drain = (host: JoinedHost): Promise<unknown> =>
    world.cloud.asOperator((session) => new MachineCommands(session).drain(host.id));
  const hostOf = ({ machine }: Placed): JoinedHost => world.hosts.find(({ id }) => id === machine) as JoinedHost;

  it('loses its replica and the node with the messages, one after the other, and then nothing is left on it', async () => {
    const { cloud } = world;
    const deployment = await TestDeployment.paid(cloud, MULTI_AZ);
    await world.open(deployment);
    expect(await world.exchange(deployment, 'before', ['one'])).toEqual(['one']);
    const roles = await cloud.rows<{ id: number; role: string }>(
      'select id::int, role from nodes where deployment_id = $1',
      [deployment.id],
    );
    const placed = await world.placed(deployment);
    const of = (role: string): Placed =>
      placed.find(({ id }) => roles.find((node) => node.id === id)?.role === role) as Placed;
    const leaving = [of('leader'), of('follower')];
    const next: JoinedHost[] = [];
    for (const node of leaving) next.push(await world.join(hostOf(node).zone));

    for (const node of leaving) await drain(hostOf(node));
    for (const [index, { id }] of leaving.entries())
      await eventually(
        'the node is on the other machine',
        async () => (await world.placed(deployment)).some((node) => node.id === id && node.machine === next[index]?.id),
        MOVED_WITHIN_MS,
      );
    await eventually(
      'all nodes run again',
      async () => (await deployment.detail()).status === 'initialized' && (await statuses(deployment)) === 'running',
      MOVED_WITHIN_MS,
    );
    await world.open(deployment);

    const now = await world.placed(deployment);
    expect(now.filter(({ incarnation }) => incarnation === 2).map(({ id }) => id)).toEqual(leaving.map(({ id }) => id));
    for (const node of leaving) expect(await hostOf(node).processes()).toEqual([]);
    const client = await deployment.admits();
    expect(await client.readAll('before', 1)).toEqual(['one']);
    await client.close();
    expect(await world.exchange(deployment, 'after', ['two'])).toEqual(['two']);
    await deployment.delete();
    expect(await nodeProcesses(cloud.installation.installation)).toEqual([]);
  });

  async function statuses(deployment: TestDeployment): Promise<string> {
    const nodes = await world.cloud.rows<{ status: string }>(
      'select distinct status from nodes where deployment_id = $1',
      [deployment.id],
    );
    return nodes.map(({ status }) => status).join();
  }
});
