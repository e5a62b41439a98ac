import { jest } from '@jest/globals';
import { eventually, TestDeployment } from '@libs/testing';
import { MULTI_AZ, ZONES, type Placed } from '../machine-world.js';
import { describeWithHosts, HostWorld } from './host-world.js';
import { MACHINE_UNIT, type RealHost } from './real-host.js';

const MINUTE_MS = 60_000;
/** A lost node is missing in two looks that are 60 seconds apart, before another one takes its place. */
const REPLACED_WITHIN_MS = 4 * MINUTE_MS;

const HOOK_MS = 5 * MINUTE_MS;
jest.setTimeout(8 * MINUTE_MS);

/** Three hosts with systemd and a network of their own. The cloud, its gateway and everything on the hosts are real. */
describeWithHosts('Three hosts with systemd', () => {
  let world: HostWorld;
  beforeAll(async () => {
    world = await HostWorld.start(ZONES);
    const seconds = world.hosts.map(({ joinedInMs }) => (joinedInMs / 1000).toFixed(1));
    console.log(`From the start of the boot to the first report of the machine: ${seconds.join(' s, ')} s`);
  }, HOOK_MS);
  afterAll(() => world.stop(), HOOK_MS);

  /** A cluster with a node on each host, open to clients. */
  async function aCluster(): Promise<TestDeployment> {
    const deployment = await TestDeployment.paid(world.machines.cloud, MULTI_AZ);
    await world.machines.open(deployment);
    return deployment;
  }

  const statusIs = (deployment: TestDeployment, status: string, withinMs = 2 * MINUTE_MS): Promise<unknown> =>
    eventually(`the deployment is ${status}`, async () => (await deployment.detail()).status === status, withinMs);
  const hostOf = ({ machine }: Placed): RealHost => world.hosts.find(({ id }) => id === machine) as RealHost;
  const read = (deployment: TestDeployment, topic: string): Promise<string[]> =>
    world.machines.exchange(deployment, topic, ['one', 'two']);

  async function deleteWithoutTraces(deployment: TestDeployment): Promise<void> {
    await deployment.delete();
    expect([...(await world.processes()).values()]).toEqual([]);
    for (const host of world.hosts) expect(host.leftovers()).toEqual([]);
  }

  it('run a cluster over kill -9 of each agent, a loss of power, and a minute without network', async () => {
    const deployment = await aCluster();
    const placed = await world.machines.placed(deployment);
    expect(placed.map(({ machine }) => machine).sort()).toEqual(world.hosts.map(({ id }) => id).sort());
    expect(await read(deployment, 'first')).toEqual(['one', 'two']);

    const [killed, rebooted, cut] = placed.map(hostOf) as [RealHost, RealHost, RealHost];
    const before = await world.processes();
    killed.system.run('systemctl', 'kill', '--signal=KILL', MACHINE_UNIT);
    killed.system.run(
      'systemctl',
      'kill',
      '--kill-whom=main',
      '--signal=KILL',
      `landlord-node-${placed[0]?.id}.service`,
    );
    await killed.reports();
    await eventually('the agent of the node runs again', async () => (await world.processes()).size === before.size);
    const after = await world.processes();
    const brokers = [...before].filter(([, command]) => !command.includes('agent.main')).map(([pid]) => pid);
    expect(brokers.filter((pid) => !after.has(pid))).toEqual([]);
    expect(await read(deployment, 'killed')).toEqual(['one', 'two']);

    await rebooted.reboot();
    await rebooted.reports();
    await statusIs(deployment, 'initialized');
    await world.machines.open(deployment);
    expect(await read(deployment, 'rebooted')).toEqual(['one', 'two']);

    cut.network.cut();
    await statusIs(deployment, 'degraded');
    const cutAt = Date.now();
    await eventually('a minute has passed', () => Date.now() - cutAt > MINUTE_MS, 2 * MINUTE_MS);
    cut.network.restore();
    await cut.reports();
    await statusIs(deployment, 'initialized');
    await world.machines.open(deployment);
    expect(await read(deployment, 'cut')).toEqual(['one', 'two']);

    expect(await world.machines.placed(deployment)).toEqual(placed);
    await deleteWithoutTraces(deployment);
  });

  it('change their agents while the brokers continue, and go back from a program that does not work', async () => {
    const deployment = await aCluster();
    const brokers = async (): Promise<number[]> =>
      [...(await world.processes())].filter(([, command]) => !command.includes('agent.main')).map(([pid]) => pid);
    const before = (await brokers()).sort();
    const rows = <Row extends Record<string, unknown>>(sql: string, ...values: unknown[]): Promise<Row[]> =>
      world.machines.cloud.rows<Row>(sql, values);
    const rolloutOf = async (sha256: string): Promise<string> =>
      eventually(
        'the roll-out has ended',
        async () => {
          const [row] = await rows<{ state: string }>('select state from agent_rollouts where sha256 = $1', sha256);
          return row && row.state !== 'running' ? row.state : null;
        },
        3 * MINUTE_MS,
      );
    const programs = async (): Promise<string[]> => {
      const found = await rows<{ agent_sha256: string }>(
        `select m.agent_sha256 from machines m where m.status <> 'removed'
         union select agent_sha256 from machine_nodes where deployment_id = $1`,
        deployment.id,
      );
      return found.map(({ agent_sha256 }) => agent_sha256);
    };

    const next = await world.publishAgent({ 'release.txt': 'next' });
    expect(await rolloutOf(next)).toBe('done');
    expect(await programs()).toEqual([next]);
    expect((await brokers()).sort()).toEqual(before);
    expect(await read(deployment, 'changed')).toEqual(['one', 'two']);

    const broken = await world.publishAgent({ 'machine.main.js': 'process.exit(3);' });
    expect(await rolloutOf(broken)).toBe('stopped');
    expect(await programs()).toEqual([next]);
    expect((await brokers()).sort()).toEqual(before);
    const refusals = await rows<{ agent_refusal: string | null }>('select agent_refusal from machines');
    expect(
      refusals.filter(({ agent_refusal }) => agent_refusal?.startsWith('The program ended (exit code 3)')),
    ).toHaveLength(2);
    const list = await world.landlord('machines', 'list');
    expect(list.match(/went back: The program ended \(exit code 3\)/g)).toHaveLength(2);
    expect(await world.landlord('machines', 'rollouts')).toMatch(/stopped +2 of 3 +2 /);
    expect(await read(deployment, 'went-back')).toEqual(['one', 'two']);
    await deleteWithoutTraces(deployment);
  });

  it('lose one of them, which is removed and replaced', async () => {
    const deployment = await aCluster();
    const lost = (await world.machines.placed(deployment)).at(-1) as Placed;
    const host = hostOf(lost);
    const before = (await world.processes()).size;
    await host.system.cutPower();
    await statusIs(deployment, 'degraded');
    const another = await world.join(host.zone);
    await world.landlord('machines', 'remove', String(host.id), '--lose-data', host.system.hostname);
    await statusIs(deployment, 'initialized', REPLACED_WITHIN_MS);

    const now = (await world.machines.placed(deployment)).find(({ id }) => id === lost.id);
    expect(now).toEqual({ id: lost.id, machine: another.id, incarnation: lost.incarnation + 1 });
    await world.machines.open(deployment);
    expect(await read(deployment, 'replaced')).toEqual(['one', 'two']);
    // The removed host comes back, hears that it is removed, and ends its node.
    await host.system.start();
    await eventually(
      'the removed host has ended its agent',
      () => host.system.show(MACHINE_UNIT, 'ExecMainStatus')['ExecMainStatus'] === '78',
    );
    expect(host.system.run('systemctl', 'is-active', `landlord-node-${lost.id}.service`).stdout).not.toBe('active\n');
    expect((await world.processes()).size).toBe(before);
    await world.retire(host);
    await deleteWithoutTraces(deployment);
  });
});
