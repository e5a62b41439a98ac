import { jest } from '@jest/globals';
import { TestDeployment } from '@libs/testing';
import { MULTI_AZ } from '../machines/machine-world.js';
import { AWS_WORLD_WAIT_MS, AwsWorld, describeWithAws } from './aws-world.js';

const MINUTE_MS = 60_000;
/** Each lost answer can cost a minute. */
const AMID_FAULTS_MS = 4 * MINUTE_MS;

jest.setTimeout(8 * MINUTE_MS);

/** The account is Moto behind the fault proxy. Hosts, disks, copies of disks, agents and brokers are real. */
describeWithAws('A backup at AWS', () => {
  let world: AwsWorld;
  beforeAll(async () => {
    world = await AwsWorld.start();
  }, AWS_WORLD_WAIT_MS);
  afterAll(() => world.stop(), AWS_WORLD_WAIT_MS);

  const write = async (deployment: TestDeployment, message: string): Promise<void> => {
    const client = await deployment.admits();
    await client.write('kept', message);
    await client.close();
  };
  /** All messages, with one that is written now. */
  const read = async (deployment: TestDeployment, expected: readonly string[]): Promise<void> => {
    const client = await deployment.admits();
    await client.write('kept', 'end');
    const messages = await client.readAll('kept', new Set([...expected, 'end']).size);
    expect([...new Set(messages)].sort()).toEqual([...new Set([...expected, 'end'])].sort());
    await client.close();
  };
  const backUp = async (deployment: TestDeployment): Promise<number> => {
    const answer = await world.machines.cloud.runtime().post(`${deployment.live}/backups`, { name: 'before' });
    await deployment.succeeds(answer);
    return Number(answer.headers.get('ld-backup'));
  };
  const contentsOfKind = async (kind: string): Promise<string[]> =>
    (await world.contents()).filter((one) => one.startsWith(`${kind} `));

  it('is a snapshot of each node, and comes back in its own deployment and in a new one', async () => {
    const { cloud } = world.machines;
    const deployment = await TestDeployment.paid(cloud, MULTI_AZ);
    await world.machines.open(deployment);
    await write(deployment, 'before');

    const backup = await backUp(deployment);

    const snapshots = await contentsOfKind('snapshot');
    expect(snapshots).toHaveLength(3);
    const [shown] = (await cloud.runtime().get(`${deployment.live}/backups`)).body;
    expect(shown).toMatchObject({ id: backup, status: 'completed', size_bytes: expect.any(Number) });
    expect(shown.snapshot_ids.map((id: string) => `snapshot ${id}`).sort()).toEqual(snapshots.sort());
    expect(shown.size_bytes).toBeGreaterThan(0);
    const volumes = await contentsOfKind('volume');
    expect(volumes).toEqual(expect.arrayContaining(shown.volume_ids.map((id: string) => `volume ${id}`)));
    await write(deployment, 'after');
    await read(deployment, ['before', 'after']);

    await deployment.succeeds(await cloud.runtime().post(`${deployment.live}/backups/${backup}/restore`));

    await read(deployment, ['before']);
    expect((await contentsOfKind('volume')).sort()).toEqual(volumes.sort());

    const restore_from = { deployment_id: deployment.id, backup_id: backup };
    const created = await TestDeployment.paid(cloud, { ...MULTI_AZ, encrypted: true, restore_from });
    await world.machines.open(created);
    await read(created, ['before']);
    expect(await contentsOfKind('volume')).toHaveLength(volumes.length + 6);

    await deployment.succeeds(await cloud.runtime().delete(`${deployment.live}/backups/${backup}`));
    expect(await contentsOfKind('snapshot')).toEqual([]);
    await read(created, ['before', 'end']);
    await created.delete();
    await backUp(deployment);
    await deployment.delete();
    expect(await world.contents()).toEqual([]);
  });

  it('is taken once, and restored once, over kill -9 of the Supervisor, lost answers and throttling', async () => {
    const { cloud } = world.machines;
    const deployment = await TestDeployment.paid(cloud, MULTI_AZ);
    await world.machines.open(deployment);
    await write(deployment, 'before');
    const from = world.proxy.creations.length;
    const made = (action: string): number =>
      world.proxy.creations.slice(from).filter((call) => call.action === action).length;
    const ask = (path: string, body: object) => cloud.runtime().post(`${deployment.live}/backups${path}`, body);

    const asked = await ask('', { name: 'killed' });
    await world.amidFaults(deployment.succeeds(asked, AMID_FAULTS_MS));
    expect(made('CreateSnapshot')).toBe(3);
    await write(deployment, 'after');

    const restored = await ask(`/${asked.headers.get('ld-backup')}/restore`, {});
    await world.amidFaults(deployment.succeeds(restored, AMID_FAULTS_MS));

    expect(made('CreateVolume')).toBe(3);
    await world.machines.open(deployment);
    await read(deployment, ['before']);
    expect(await contentsOfKind('volume')).toHaveLength(6);
    await deployment.delete();
    expect(await world.contents()).toEqual([]);
  });
});
