import { TestDeployment } from '@libs/testing';
import { describeWithHosts } from '../machines/hosts/host-world.js';
import { AT_GOOGLE, GCP_WORLD_WAIT_MS, GcpWorld } from './gcp-world.js';

const MINUTE_MS = 60_000;
/** Each lost answer can cost a minute. */
const AMID_FAULTS_MS = 4 * MINUTE_MS;

vi.setConfig({ testTimeout: 8 * MINUTE_MS, hookTimeout: GCP_WORLD_WAIT_MS });

/** Compute Engine is the fake. Hosts, disks, copies of disks, agents and brokers are real. */
describeWithHosts('A backup at Google Cloud', () => {
  let world: GcpWorld;
  beforeAll(async () => {
    world = await GcpWorld.start();
  });
  afterAll(() => world.stop());

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
  const names = (collection: string): string[] =>
    world.compute
      .resources(collection)
      .map(({ name }) => name)
      .sort();

  it('is a snapshot of each node, and comes back in its own deployment and in a new one', async () => {
    const { cloud } = world.machines;
    const deployment = await TestDeployment.paid(cloud, AT_GOOGLE);
    await world.machines.open(deployment);
    await write(deployment, 'before');

    const backup = await backUp(deployment);

    const snapshots = names('snapshots');
    expect(snapshots).toHaveLength(3);
    const [shown] = (await cloud.runtime().get(`${deployment.live}/backups`)).body;
    expect(shown).toMatchObject({ id: backup, status: 'completed', size_bytes: expect.any(Number) });
    expect(shown.snapshot_ids.sort()).toEqual(snapshots);
    expect(shown.size_bytes).toBeGreaterThan(0);
    const disks = names('disks');
    expect(disks).toEqual(expect.arrayContaining(shown.volume_ids));
    await write(deployment, 'after');
    await read(deployment, ['before', 'after']);

    await deployment.succeeds(await cloud.runtime().post(`${deployment.live}/backups/${backup}/restore`));

    await read(deployment, ['before']);
    expect(names('disks')).toEqual(disks);

    const restore_from = { deployment_id: deployment.id, backup_id: backup };
    const created = await TestDeployment.paid(cloud, { ...AT_GOOGLE, encrypted: true, restore_from });
    await world.machines.open(created);
    await read(created, ['before']);
    expect(names('disks')).toHaveLength(2 * disks.length);

    await deployment.succeeds(await cloud.runtime().delete(`${deployment.live}/backups/${backup}`));
    expect(names('snapshots')).toEqual([]);
    await read(created, ['before', 'end']);
    await created.delete();
    await backUp(deployment);
    await deployment.delete();
    expect(world.contents()).toEqual([]);
  });

  it('is taken once, and restored once, over kill -9 of the Supervisor, lost answers and throttling', async () => {
    const { cloud } = world.machines;
    const deployment = await TestDeployment.paid(cloud, AT_GOOGLE);
    await world.machines.open(deployment);
    await write(deployment, 'before');
    const made = (collection: string): number[] =>
      names(collection).map((name) => world.compute.creations(collection, name));
    const ask = (path: string, body: object) => cloud.runtime().post(`${deployment.live}/backups${path}`, body);

    const asked = await ask('', { name: 'killed' });
    await world.amidFaults(deployment.succeeds(asked, AMID_FAULTS_MS));
    expect(made('snapshots')).toEqual([1, 1, 1]);
    await write(deployment, 'after');

    const restored = await ask(`/${asked.headers.get('ld-backup')}/restore`, {});
    await world.amidFaults(deployment.succeeds(restored, AMID_FAULTS_MS));

    await world.machines.open(deployment);
    await read(deployment, ['before']);
    expect(names('disks')).toHaveLength(6);
    await deployment.delete();
    expect(world.contents()).toEqual([]);
  });
});
