import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeProcesses, TestDeployment } from '@libs/testing';
import { HOST_ADDRESS } from './joined-host.js';
import { describeOnNetwork, MachineWorld, MULTI_AZ, ZONES } from './machine-world.js';

describeOnNetwork('Nodes on machines', () => {
  let world: MachineWorld;
  beforeAll(async () => {
    world = await MachineWorld.start();
  });
  afterAll(() => world.stop());

  const processes = async (): Promise<number[]> =>
    (await nodeProcesses(world.cloud.installation.installation)).map(({ pid }) => pid);

  it('run a cluster with each node on a machine of its own, in zones of their own', async () => {
    const { cloud, hosts } = world;
    const deployment = await TestDeployment.paid(cloud, MULTI_AZ);
    await world.open(deployment);

    expect(await world.exchange(deployment, 'first', ['one', 'two'])).toEqual(['one', 'two']);
    const machines = (await world.placed(deployment)).map(({ machine }) => machine);
    expect(machines.sort()).toEqual(hosts.map(({ id }) => id).sort());
    const nodes = await deployment.nodes();
    expect(nodes.map((node) => (node as unknown as { zone: string }).zone).sort()).toEqual([...ZONES]);
    for (const { endpoints } of nodes) expect(endpoints.tcp).toMatch(new RegExp(`^${HOST_ADDRESS}:`));
    await deployment.delete();

    expect(await world.placed(deployment)).toEqual([]);
    expect(await processes()).toEqual([]);
    for (const { directory } of hosts) expect(await readdir(join(directory, 'nodes'))).toEqual([]);
  });

  it('continue while their machine agent is killed, and are the same after its start', async () => {
    const deployment = await TestDeployment.free(world.cloud);
    await world.open(deployment);
    const [{ machine = 0 } = {}] = await world.placed(deployment);
    const host = world.hosts.find(({ id }) => id === machine);
    const before = await processes();

    await host?.kill();
    expect(await world.exchange(deployment, 'alone', ['one'])).toEqual(['one']);
    host?.start(world.authority.caFile);
    await host?.reports();

    expect(await processes()).toEqual(before);
    await deployment.delete();
    expect(await processes()).toEqual([]);
  });
});
