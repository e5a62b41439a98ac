import { jest } from '@jest/globals';
import { eventually, TestDeployment } from '@libs/testing';
import { MULTI_AZ } from '../machines/machine-world.js';
import { AWS_WORLD_WAIT_MS, AwsWorld, describeWithAws } from './aws-world.js';

const MINUTE_MS = 60_000;
const MOST_CALLS = 60;
/** Each lost answer can cost a minute. */
const AMID_FAULTS_MS = 4 * MINUTE_MS;
/** Node by node, each with a stop, a change and a start. */
const AMID_UPGRADE_MS = 7 * MINUTE_MS;

jest.setTimeout(10 * MINUTE_MS);

/** The account is Moto behind the fault proxy. Hosts, networks, disks, agents and brokers are real. */
describeWithAws('A deployment at AWS', () => {
  let world: AwsWorld;
  beforeAll(async () => {
    world = await AwsWorld.start();
  }, AWS_WORLD_WAIT_MS);
  afterAll(() => world.stop(), AWS_WORLD_WAIT_MS);

  const exchange = (deployment: TestDeployment, topic: string): Promise<string[]> =>
    world.machines.exchange(deployment, topic, ['one', 'two']);

  it('serves clients from three instances after at most 60 calls, and leaves an empty account', async () => {
    const deployment = await TestDeployment.paid(world.machines.cloud, MULTI_AZ);
    const { calls } = world.proxy;
    const made = calls.length;
    await world.machines.open(deployment);
    // Moto's name for the account of the keys.
    expect((await deployment.detail())['aws']).toMatchObject({ account_id: '123456789012' });

    expect(await exchange(deployment, 'first')).toEqual(['one', 'two']);
    expect(made).toBeLessThanOrEqual(MOST_CALLS);
    const zones = (await world.instances()).map(({ Placement }) => Placement?.AvailabilityZone);
    expect(zones.sort()).toEqual(['us-east-1a', 'us-east-1b', 'us-east-1c']);
    await deployment.delete();
    expect(await world.contents()).toEqual([]);
  });

  it('waits for its nodes and says why, while no instance boots', async () => {
    world.hosts.pause(true);
    const { cloud } = world.machines;
    const making = TestDeployment.paid(cloud, MULTI_AZ);
    making.catch(() => undefined);
    const sql = `select status_reason from deployment_runtimes where status = 'waiting_for_nodes' and status_reason is not null`;
    const [{ status_reason: reason }] = await eventually('a reason', async () => {
      const rows = await cloud.rows<{ status_reason: string }>(sql);
      return rows.length > 0 ? (rows as [{ status_reason: string }]) : null;
    }).finally(() => world.hosts.pause(false));

    expect(reason).toMatch(/^node-1: the instance i-[0-9a-f]+ runs and has not joined yet$/);
    const deployment = await making;
    expect((await deployment.detail())['status_reason']).toBeNull();
    await deployment.delete();
    expect(await world.contents()).toEqual([]);
  });

  it('gets larger instances over kill -9 of the Supervisor, and keeps its messages', async () => {
    const { cloud } = world.machines;
    const deployment = await TestDeployment.paid(cloud, MULTI_AZ);
    await world.machines.open(deployment);
    const client = await deployment.admits();
    await client.write('kept', 'before');
    await client.close();
    const before = (await world.instances()).map(({ InstanceId }) => InstanceId).sort();

    const asked = await cloud.main().post(`${deployment.path}/upgrade`, { tier: 'medium', storage: { size: 120 } });
    await world.amidFaults(deployment.succeeds(asked, AMID_UPGRADE_MS));

    const now = await world.instances();
    expect(now.map(({ InstanceId }) => InstanceId).sort()).toEqual(before);
    expect(now.map(({ InstanceType }) => InstanceType)).toEqual(Array(3).fill('m7i.large'));
    const { Volumes = [] } = await world.ec2.describeVolumes({
      Filters: [{ Name: 'tag:landlord:part', Values: ['volume'] }],
    });
    expect(Volumes.map(({ Size }) => Size)).toEqual([120, 120, 120]);
    await world.machines.open(deployment);
    const reader = await deployment.admits();
    expect(await reader.readAll('kept', 1)).toEqual(['before']);
    await reader.close();
    await deployment.delete();
    expect(await world.contents()).toEqual([]);
  });

  it('gets another instance for one that was ended by hand', async () => {
    const deployment = await TestDeployment.paid(world.machines.cloud, MULTI_AZ);
    await world.machines.open(deployment);
    const [lost] = (await deployment.nodes()).slice(-1);
    const instance = (await world.instances()).find(({ PrivateIpAddress }) => PrivateIpAddress === lost?.private_ip);

    await world.ec2.terminateInstances({ InstanceIds: [instance?.InstanceId ?? ''] });
    await eventually(
      'another instance',
      async () => {
        const ids = (await world.instances()).map(({ InstanceId }) => InstanceId);
        return ids.length === 3 && !ids.includes(instance?.InstanceId);
      },
      2 * MINUTE_MS,
    );

    await world.machines.open(deployment);
    expect(await exchange(deployment, 'replaced')).toEqual(['one', 'two']);
    await deployment.delete();
    expect(await world.contents()).toEqual([]);
  });

  it('exists once, and is gone once, over kill -9 of the Supervisor, lost answers and throttling', async () => {
    const { cloud } = world.machines;
    const before = world.proxy.creations.length;

    const deployment = await world.amidFaults(TestDeployment.paid(cloud, MULTI_AZ, AMID_FAULTS_MS));
    const made = world.proxy.creations.slice(before).map(({ action }) => action);
    await world.machines.open(deployment);
    expect(await exchange(deployment, 'killed')).toEqual(['one', 'two']);
    expect((await world.instances()).length).toBe(3);
    expect(made.filter((action) => action === 'RunInstances')).toHaveLength(3);
    expect(made.filter((action) => action === 'CreateVolume')).toHaveLength(3);

    await world.amidFaults(deployment.delete(AMID_FAULTS_MS));
    expect(await world.contents()).toEqual([]);
    const orders = world.proxy.calls.flatMap(({ parameters }) => parameters.get('UserData') ?? []);
    const tokens = orders.map((data) => /'(\d+\.[\w-]{20,})'/.exec(Buffer.from(data, 'base64').toString())?.[1] ?? '');
    const log = cloud.supervisor.log();
    expect(log).toContain('RequestLimitExceeded');
    expect(tokens.filter((token) => token === '' || log.includes(token.split('.')[1] ?? ''))).toEqual([]);
    expect(orders.filter((data) => log.includes(data.slice(0, 60)))).toEqual([]);
  });
});
