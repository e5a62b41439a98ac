import { jest } from '@jest/globals';
import {
  CloudError,
  describeOne,
  GcpProvider,
  SharedCallPermits,
  SharedDriverMemory,
  type GcpAccountCheck,
  type GcpNodeSettings,
  type Resource,
  type ResourceKind,
} from '@libs/cloud';
import { Database, dataSourceOptions } from '@libs/persistence';
import { CloudCallSlotsRepository, DriverResourcesRepository } from '@libs/persistence/runtime';
import { eventually, OPERATOR_TOKEN, TestDeployment } from '@libs/testing';
import { DataSource } from 'typeorm';
import { describeWithHosts } from '../machines/hosts/host-world.js';
import { AT_GOOGLE, GCP_WORLD_WAIT_MS, GcpWorld, IN_IOWA, PROJECT } from './gcp-world.js';

const MINUTE_MS = 60_000;
const AT = { cloud: 'gcp' as const, region: IN_IOWA.region, account: null };
const [BEFORE, AFTER] = ['written-before-the-snapshot', 'written-after-the-snapshot'];

jest.setTimeout(5 * MINUTE_MS);

/**
 * The contract has backups only at AWS (C-19.1), so no request to Landlord makes a snapshot at Google. This test calls the driver itself, with
 * the memory of the Supervisor.
 */
describeWithHosts('A snapshot of a disk at Google Cloud', () => {
  let world: GcpWorld;
  let database: DataSource;
  beforeAll(async () => {
    world = await GcpWorld.start();
    const { url } = world.machines.cloud.database;
    database = await new DataSource(
      dataSourceOptions({ databaseUrl: url, secretKeys: '', applicationName: 'test', poolSize: 2 }),
    ).initialize();
  }, GCP_WORLD_WAIT_MS);
  afterAll(async () => {
    await database?.destroy();
    await world.stop();
  }, GCP_WORLD_WAIT_MS);

  function driver(): GcpProvider {
    const rows = new Database(database);
    const connection = {
      ...{ endpoint: world.google.endpoint, project: PROJECT },
      permits: new SharedCallPermits(new CloudCallSlotsRepository(rows), 'gcp'),
      tokens: { tokenFor: async () => OPERATOR_TOKEN, refused: () => undefined },
    };
    // Neither nodes nor accounts are asked for here.
    const parts = { nodes: {} as GcpNodeSettings, accounts: {} as GcpAccountCheck };
    const memory = new SharedDriverMemory(new DriverResourcesRepository(rows));
    return new GcpProvider(world.machines.cloud.installation.installation, memory, connection, parts);
  }

  it('has the data of its moment, which a new disk at another node has too', async () => {
    const { machines, compute, hosts } = world;
    const deployment = await TestDeployment.paid(machines.cloud, AT_GOOGLE);
    await machines.open(deployment);
    expect(await machines.exchange(deployment, 'kept', [BEFORE])).toEqual([BEFORE]);
    const names = await machines.cloud.rows<{ name: string; parts: Record<string, { id: string }> }>(
      `select name, parts from aws_resources where kind = 'node' order by name`,
      [],
    );
    const [source, target] = names;
    const hostOf = (path: string | undefined) => {
      const instance = compute.resources('instances').find(({ name }) => path?.endsWith(`/${name}`));
      return hosts.hosts.get(String(instance?.id))!.system;
    };
    const cloud = driver();
    const tags = { installation: machines.cloud.installation.installation, deployment_id: deployment.id };
    const active = async <K extends ResourceKind>(call: () => Promise<Resource<K>>): Promise<Resource<K>> => {
      const ensured = (): Promise<Resource<K> | null> =>
        call().catch((error: unknown) => {
          // The creation of another resource that this one needs has not ended. A workflow tries again, too.
          if (error instanceof CloudError && error.code === 'unavailable') return null;
          throw error;
        });
      return eventually(
        'an active resource',
        async () => {
          const resource = await ensured();
          return resource?.state === 'active' ? resource : null;
        },
        MINUTE_MS,
      );
    };
    const ref = (name: string) => ({ name, at: AT });

    // The host keeps new data in memory for some seconds. The snapshot has what is on the disk.
    hostOf(source?.parts['node']?.id).run('sync');
    const spec = { region: AT.region, node: source?.name ?? '' };
    await active(() => cloud.ensure('snapshot', ref('copy'), spec, tags));
    expect(await machines.exchange(deployment, 'later', [AFTER])).toEqual([AFTER]);
    const volume = { region: AT.region, snapshot: 'copy', node: target?.name ?? '' };
    const { attributes } = await active(() => cloud.ensure('restored_volume', ref('restored'), volume, tags));

    const system = hostOf(target?.parts['node']?.id);
    const has = (text: string): string =>
      system.run('sh', '-c', `grep -rqs ${text} /mnt/restored && echo yes || echo no`).stdout.trim();
    await eventually('the disk at the host', () => system.run('test', '-b', attributes.device).status === 0);
    system.run('mkdir', '-p', '/mnt/restored');
    expect(system.run('mount', attributes.device, '/mnt/restored').stderr).toBe('');
    expect([has(BEFORE), has(AFTER)]).toEqual(['yes', 'no']);
    system.run('umount', '/mnt/restored');

    for (const [kind, name] of [['restored_volume', 'restored'] as const, ['snapshot', 'copy'] as const])
      await eventually(
        `no ${kind}`,
        async () => {
          await cloud.destroy(kind, ref(name));
          return (await describeOne(cloud, kind, ref(name))) === null;
        },
        MINUTE_MS,
      );
    expect(compute.resources('snapshots')).toEqual([]);
    await deployment.delete();
    expect(world.contents()).toEqual([]);
  });
});
