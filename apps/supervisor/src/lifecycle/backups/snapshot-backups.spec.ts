import { FakeCloud, stepSuites, WorkflowBench, type Around } from '@libs/testing';
import { BackupFixture } from '../../../test/backup.fixture.js';
import { LifecycleFixture } from '../../../test/lifecycle.fixture.js';

const NODES = 3;
const TAKING = ['freezing_nodes', 'taking_snapshots', 'completing_snapshots'];
const RESTORING = [
  ...['verifying_backup', 'attaching_disks', 'stopping_nodes', 'replacing_data', 'starting_nodes'],
  'discarding_old_data',
];

describe('backups by snapshots', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  /** A deployment at a provider that takes snapshots. */
  const serving = async () => {
    const cloud = new FakeCloud();
    cloud.hasSnapshots = true;
    const lifecycle = await LifecycleFixture.serving(bench, NODES, {}, cloud);
    const fixture = new BackupFixture(lifecycle);
    const namesOf = (kind: string) => [...cloud.resources.values()].filter((one) => one.kind === kind);
    const [snapshots, disks] = [() => namesOf('snapshot'), () => namesOf('restored_volume')];
    return { cloud, lifecycle, fixture, snapshots, disks };
  };

  const taking = async () => {
    const at = await serving();
    const { lifecycle, fixture } = at;
    const { backup, operation } = await fixture.ask();
    const runner = (around: Around) => () => bench.runner([lifecycle.workflows.backup], around);
    return {
      ...at,
      operation,
      backup,
      drive: (around: Around) => bench.drive(operation, runner(around), () => lifecycle.agentsReport()),
      expectDone: async () => {
        expect(await fixture.find(backup)).toMatchObject({
          ...{ status: 'completed', size_bytes: NODES * 4_096 },
          ...{ snapshot_ids: Array(NODES).fill('snap-fake'), volume_ids: Array(NODES).fill('vol-fake') },
        });
        expect(at.snapshots()).toHaveLength(NODES);
        expect(at.cloud.creations.filter((name) => name.includes('-snapshot-'))).toHaveLength(NODES);
        expect(await fixture.orders()).toBe(0);
        expect(await lifecycle.status()).toBe('initialized');
      },
      expectUndone: async () => {
        expect(await fixture.find(backup)).toMatchObject({ status: 'failed', snapshot_ids: [], size_bytes: 0 });
        expect(at.snapshots()).toEqual([]);
        expect(await fixture.orders()).toBe(0);
        expect((await lifecycle.recorded()).events.at(-1)).toBe('deployment_operation_failed');
      },
    };
  };

  const restoring = async () => {
    const at = await serving();
    const { lifecycle, fixture } = at;
    const backup = await fixture.taken();
    const operation = await lifecycle.start('restore_backup', { backup_id: backup });
    const given: { kind: string; options: object; objects: object }[] = [];
    const world = async (): Promise<void> => {
      const rows = await bench.rows<(typeof given)[number]>(
        `select kind, options, objects from node_orders where status = 'open' order by node_id`,
      );
      given.push(...rows.filter(({ kind }) => !given.some((one) => one.kind === kind)));
      await lifecycle.agentsReport();
    };
    const expectServing = async (): Promise<void> => {
      const rows = await bench.rows('select from nodes where deployment_id = $1 and held_at is not null', [
        lifecycle.deploymentId,
      ]);
      expect([rows, await lifecycle.status(), await fixture.orders()]).toEqual([[], 'initialized', 0]);
      expect(at.disks()).toEqual([]);
      expect(at.snapshots()).toHaveLength(NODES);
    };
    const runner = (around: Around) => () => bench.runner([lifecycle.workflows.restore], around);
    return {
      ...at,
      operation,
      backup,
      given,
      drive: (around: Around) => bench.drive(operation, runner(around), world),
      expectDone: async () => {
        await expectServing();
        expect(given.map(({ kind }) => kind)).toEqual([...Array<string>(NODES).fill('restore_data'), ...settled()]);
      },
      expectUndone: async () => {
        await expectServing();
        expect(given.filter(({ kind }) => kind === 'settle_data')).toEqual([]);
        expect((await lifecycle.recorded()).events.at(-1)).toBe('deployment_operation_failed');
      },
    };
  };
  const settled = (): string[] => Array<string>(NODES).fill('settle_data');

  stepSuites('take_backup by snapshots', taking, TAKING, TAKING);
  const undoable = RESTORING.slice(0, -1);
  stepSuites('restore_backup from snapshots', restoring, RESTORING, undoable);

  it('names the disk and the node of the snapshot in the order of each node, and no object', async () => {
    const { drive, given, fixture, backup, lifecycle } = await restoring();

    expect(await drive((_step, run) => run())).toBe('succeeded');

    const nodes = await bench.rows<{ id: number }>('select id from nodes where deployment_id = $1 order by id', [
      lifecycle.deploymentId,
    ]);
    const orders = given.filter(({ kind }) => kind === 'restore_data');
    expect(orders.map(({ options }) => options)).toEqual(
      nodes.map(({ id }) => ({ restore: expect.any(Number), disk: { device: '/dev/disk/by-id/fake', node_id: id } })),
    );
    expect(orders.map(({ objects }) => objects)).toEqual(nodes.map(() => ({})));
    expect(await fixture.find(backup)).toMatchObject({ status: 'completed' });
  });

  it('stops no node when a snapshot was deleted by hand', async () => {
    const { drive, cloud, snapshots, operation, given } = await restoring();
    cloud.resources.delete(snapshots()[1]?.name ?? '');

    const statuses: string[] = [];
    const status = await drive(async (step, run) => {
      statuses.push(step);
      return run();
    });

    const [row] = await bench.rows<{ reason: string }>('select reason from operations where id = $1', [operation]);
    expect([status, statuses, given]).toEqual(['failed', ['verifying_backup'], []]);
    expect(row?.reason).toMatch(/^the backup is damaged: the snapshot of node \d+ no longer exists$/);
  });

  it('fails with the reason of the provider, and leaves no snapshot', async () => {
    const { drive, cloud, snapshots, operation, expectUndone } = await taking();

    const status = await drive(async (step, run) => {
      const [first] = snapshots();
      if (step === 'completing_snapshots' && first)
        cloud.resources.set(first.name, { ...first, state: 'failed', reason: 'the snapshot snap-1 is error' });
      return run();
    });

    const [row] = await bench.rows<{ reason: string }>('select reason from operations where id = $1', [operation]);
    expect([status, row?.reason]).toEqual(['failed', 'the snapshot snap-1 is error']);
    await expectUndone();
  });

  it('deletes the snapshots with the backup, and keeps those of another backup', async () => {
    const { lifecycle, fixture, snapshots } = await serving();
    const [first, second] = [await fixture.taken(), await fixture.taken()];
    const { deploymentId, workflows } = lifecycle;
    await bench.rows(`update backups set status = 'deleting' where id = $1`, [first]);

    const operation = await bench.start({ type: 'delete_backup', deploymentId, memo: { backup_id: first } });
    const runner = () => bench.runner([workflows.backupDeletion]);
    expect(await bench.drive(operation, runner, () => lifecycle.agentsReport())).toBe('succeeded');

    expect(await fixture.find(first)).toBeNull();
    expect(snapshots().map(({ name }) => name)).toEqual(
      expect.arrayContaining([expect.stringContaining(`-snapshot-${second}-`)]),
    );
    expect(snapshots()).toHaveLength(NODES);
  });

  it('keeps no row of snapshots that were deleted a day ago', async () => {
    const { lifecycle, fixture } = await serving();
    await fixture.taken();
    const rows = () =>
      bench.rows(`select from cloud_resources where deployment_id = $1 and kind = 'snapshot'`, [
        lifecycle.deploymentId,
      ]);
    const deleted = `update cloud_resources set intent = 'absent', seen_at = now() - $2::interval where deployment_id = $1
                        and kind = 'snapshot'`;

    await bench.rows(deleted, [lifecycle.deploymentId, '23 hours']);
    await fixture.taken();
    expect(await rows()).toHaveLength(2 * NODES);
    await bench.rows(`${deleted} and intent = 'absent'`, [lifecycle.deploymentId, '25 hours']);
    await fixture.taken();
    expect(await rows()).toHaveLength(2 * NODES);
  });

  it('deletes the snapshots with the deployment', async () => {
    const { lifecycle, fixture, cloud } = await serving();
    await fixture.taken();

    const operation = await lifecycle.start('delete_deployment');
    const runner = () => bench.runner([lifecycle.workflows.deletion]);
    expect(await bench.drive(operation, runner, () => lifecycle.agentsReport())).toBe('succeeded');

    expect([...cloud.resources.keys()]).toEqual([]);
  });
});
