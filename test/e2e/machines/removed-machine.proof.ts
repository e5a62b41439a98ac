import { MachineCommands } from '@libs/operator';
import { eventually, nodeProcesses, TestDeployment } from '@libs/testing';
import type { JoinedHost } from './joined-host.js';
import { describeOnNetwork, MachineWorld, MULTI_AZ, type Placed } from './machine-world.js';

const DEGRADED_WITHIN_MS = 60_000;
/** A lost node is missing in two looks that are 60 seconds apart, before another one takes its place. */
const REPLACED_WITHIN_MS = 240_000;

describeOnNetwork('A node of a machine that is lost', () => {
  let world: MachineWorld;
  beforeAll(async () => {
    world = await MachineWorld.start();
  });
  afterAll(() => world.stop());

  it('is replaced on another machine after an operator has removed its machine, and not before', async () => {
    const { cloud, hosts } = world;
    const deployment = await TestDeployment.paid(cloud, MULTI_AZ);
    await world.open(deployment);
    const lost = (await world.placed(deployment)).at(-1) as Placed;
    const index = hosts.findIndex(({ id }) => id === lost.machine);
    const host = hosts[index] as JoinedHost;
    const statusIs = (status: string, withinMs: number): Promise<unknown> =>
      eventually(`the deployment is ${status}`, async () => (await deployment.detail()).status === status, withinMs);

    await host.dies();
    await statusIs('degraded', DEGRADED_WITHIN_MS);
    const another = await world.join(host.zone);
    expect((await world.placed(deployment)).find(({ id }) => id === lost.id)).toEqual(lost);
    await cloud.asOperator((session) => new MachineCommands(session).remove(host.id, host.hostname));
    await statusIs('initialized', REPLACED_WITHIN_MS);

    const now = (await world.placed(deployment)).find(({ id }) => id === lost.id);
    expect(now).toEqual({ id: lost.id, machine: another.id, incarnation: lost.incarnation + 1 });
    expect(await world.exchange(deployment, 'after', ['one'])).toEqual(['one']);
    await deployment.delete();
    expect(await nodeProcesses(cloud.installation.installation)).toEqual([]);
  });

  it('is ended when its machine comes back after its removal', async () => {
    const { cloud } = world;
    const deployment = await TestDeployment.free(cloud);
    await world.open(deployment);
    const [{ machine = 0 } = {}] = await world.placed(deployment);
    const host = world.hosts.find(({ id }) => id === machine) as JoinedHost;

    await host.kill();
    await cloud.asOperator((session) => new MachineCommands(session).remove(host.id, host.hostname));
    const before = (await host.processes()).length;
    host.start(world.authority.caFile);

    expect(before).toBeGreaterThan(0);
    await eventually('the nodes of the host have ended', async () => (await host.processes()).length === 0);
    await deployment.delete();
  });
});
