import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { nodeProcesses, TestDeployment } from '@libs/testing';
import { endAgentOf, HOST_ADDRESS } from './joined-host.js';
import { describeOnNetwork, MachineWorld, MULTI_AZ, ZONES } from './machine-world.js';

const LANDLORD = resolve('dist/libs/launcher/src/main.js');

describeOnNetwork('Nodes on machines', () => {
  let world: MachineWorld;
  beforeAll(async () => {
    world = await MachineWorld.start();
  });
  afterAll(() => world.stop());

  const landlord = async (...args: string[]): Promise<string> => {
    const env = { ...world.cloud.supervisorEnv, DATABASE_URL: world.cloud.database.url };
    return (await promisify(execFile)(process.execPath, [LANDLORD, ...args], { env })).stdout;
  };
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

  it('can also run on the host of the Supervisor, after one command that is safe to repeat', async () => {
    const { cloud } = world;
    const machine = join(cloud.directory, 'machine');
    const first = await landlord('machines', 'join', '--local', '--zone', ZONES[1], '--memory', '512', '--disk', '1');
    try {
      const again = await landlord('machines', 'join', '--local');
      const [row] = await cloud.rows<{ id: number; zone: string; memory_mib: number }>(
        'select id::int, zone, memory_mib from machines order by id desc limit 1',
      );
      const [file, log] = [join(machine, 'machine.json'), join(machine, 'agent.log')].map((path) =>
        readFileSync(path, 'utf8'),
      );

      expect(first).toMatch(new RegExp(`^This host is machine ${row?.id} of ${ZONES[1]}`));
      expect(again).toBe(`This host is already machine ${row?.id}.\n`);
      expect(row).toMatchObject({ zone: ZONES[1], memory_mib: 512 });
      // The token is good once, and nothing keeps it.
      expect(JSON.parse(file ?? '')).toMatchObject({ token: '' });
      expect(`${first}${again}${log}`).not.toMatch(/\d+\.[A-Za-z0-9_-]{43}/);
      expect(statSync(join(machine, 'machine.json')).mode & 0o777).toBe(0o600);
    } finally {
      await endAgentOf(machine);
    }
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
