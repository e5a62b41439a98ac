import { jest } from '@jest/globals';
import { eventually, TestDeployment } from '@libs/testing';
import { describeWithHosts } from '../machines/hosts/host-world.js';
import { AT_GOOGLE, GCP_WORLD_WAIT_MS, GcpWorld } from './gcp-world.js';

const MINUTE_MS = 60_000;
/** Each lost answer can cost a minute. */
const AMID_FAULTS_MS = 4 * MINUTE_MS;
/** Node by node, each with a stop, a change and a start. */
const AMID_UPGRADE_MS = 7 * MINUTE_MS;

jest.setTimeout(10 * MINUTE_MS);

/** Compute Engine is the fake. Hosts, networks, disks, agents and brokers are real. */
describeWithHosts('A deployment at Google Cloud', () => {
  let world: GcpWorld;
  beforeAll(async () => {
    world = await GcpWorld.start();
  }, GCP_WORLD_WAIT_MS);
  afterAll(() => world.stop(), GCP_WORLD_WAIT_MS);

  const exchange = (deployment: TestDeployment, topic: string): Promise<string[]> =>
    world.machines.exchange(deployment, topic, ['one', 'two']);
  const typesNow = (): string[] => world.instances().map((one) => String(one['machineType']).split('/').at(-1) ?? '');
  const zonesNow = (): string[] => world.instances().map((one) => String(one['zone']).split('/').at(-1) ?? '');

  it('serves clients from three instances, and leaves an empty project', async () => {
    const deployment = await TestDeployment.paid(world.machines.cloud, AT_GOOGLE);
    const made = world.compute.requests.length;
    console.log(`${made} requests until the deployment is ready`);
    await world.machines.open(deployment);
    expect((await deployment.detail())['gcp']).toMatchObject({ project_id: 'landlord-test' });

    expect(await exchange(deployment, 'first')).toEqual(['one', 'two']);
    expect(new Set(zonesNow()).size).toBe(3);
    await deployment.delete();
    expect(world.contents()).toEqual([]);
  });

  it('gets another instance for one that was deleted by hand', async () => {
    const deployment = await TestDeployment.paid(world.machines.cloud, AT_GOOGLE);
    await world.machines.open(deployment);
    const lost = world.instances().at(-1);

    world.compute.remove('instances', lost?.name ?? '');
    await eventually(
      'another instance',
      async () => {
        const now = world.instances();
        return now.length === 3 && !now.some(({ id }) => id === lost?.id);
      },
      2 * MINUTE_MS,
    );

    await world.machines.open(deployment);
    expect(await exchange(deployment, 'replaced')).toEqual(['one', 'two']);
    await deployment.delete();
    expect(world.contents()).toEqual([]);
  });

  it('gets larger instances over kill -9 of the Supervisor, and keeps its messages', async () => {
    const { cloud } = world.machines;
    const deployment = await TestDeployment.paid(cloud, AT_GOOGLE);
    await world.machines.open(deployment);
    const client = await deployment.admits();
    await client.write('kept', 'before');
    await client.close();
    const before = world.instances().map(({ id }) => id);

    const asked = await cloud.main().post(`${deployment.path}/upgrade`, { tier: 'medium', storage: { size: 120 } });
    await world.amidFaults(deployment.succeeds(asked, AMID_UPGRADE_MS));

    expect(
      world
        .instances()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...before].sort());
    expect(new Set(typesNow())).toEqual(new Set(['n2-standard-2']));
    const data = world.compute.resources('disks').filter(({ description }) => String(description).includes('"disk"'));
    expect(data.map((one) => one['sizeGb'])).toEqual(['120', '120', '120']);
    await world.machines.open(deployment);
    const reader = await deployment.admits();
    expect(await reader.readAll('kept', 1)).toEqual(['before']);
    await reader.close();
    await deployment.delete();
    expect(world.contents()).toEqual([]);
  });

  it('exists once, and is gone once, over kill -9 of the Supervisor, lost answers and throttling', async () => {
    const { cloud } = world.machines;

    const deployment = await world.amidFaults(TestDeployment.paid(cloud, AT_GOOGLE, AMID_FAULTS_MS));
    await world.machines.open(deployment);
    expect(await exchange(deployment, 'killed')).toEqual(['one', 'two']);
    const names = world.instances().map(({ name }) => name);
    expect(names.map((name) => world.compute.creations('instances', name))).toEqual([1, 1, 1]);

    await world.amidFaults(deployment.delete(AMID_FAULTS_MS));
    expect(world.contents()).toEqual([]);
    const log = cloud.supervisor.log();
    expect(log).toContain('rateLimitExceeded');
    const scripts = world.compute.requests.flatMap(
      ({ body }) => /'(\d+\.[\w-]{20,})'/.exec(JSON.stringify(body) ?? '')?.[1] ?? [],
    );
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((token) => log.includes(token.split('.')[1] ?? ''))).toEqual([]);
    expect(log).not.toContain('operator-token');
  });
});
