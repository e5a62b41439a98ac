import { OPERATIONS } from '@libs/domain';
import { stepSuites, WorkflowBench, type Around } from '@libs/testing';
import { readdir } from 'node:fs/promises';
import { backupObjects } from '../../platform/stored-objects.js';
import { BackupFixture } from '../../../test/backup.fixture.js';
import { LifecycleFixture } from '../../../test/lifecycle.fixture.js';
import { TAKE_BACKUP } from './take-backup.workflow.js';

/** Of backups by snapshots: see snapshot-backups.spec.ts. */
const BY_SNAPSHOTS = ['taking_snapshots', 'completing_snapshots'];
const STEPS = Object.keys(TAKE_BACKUP).filter((step) => ![...BY_SNAPSHOTS, 'discarding_objects'].includes(step));
const NODES = 3;

describe('take_backup', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  const begin = async () => {
    const lifecycle = await LifecycleFixture.serving(bench, NODES);
    const fixture = new BackupFixture(lifecycle);
    const { backup, operation } = await fixture.ask();
    const stored = (): Promise<string[]> =>
      readdir(`${lifecycle.objects}/objects/${backupObjects(lifecycle.deploymentId, backup)}`).catch(() => []);
    return {
      fixture,
      backup,
      operation,
      drive: (around: Around) =>
        bench.drive(
          operation,
          () => bench.runner([lifecycle.workflows.backup], around),
          () => lifecycle.agentsReport(),
        ),
      expectDone: async () => {
        const row = await fixture.find(backup);
        expect(row).toMatchObject({ status: 'completed', size_bytes: expect.any(Number) });
        expect(row?.snapshot_ids).toHaveLength(NODES);
        expect(await stored()).toHaveLength(NODES);
        expect(await fixture.orders()).toBe(0);
        expect(await lifecycle.status()).toBe('initialized');
      },
      expectUndone: async () => {
        expect(await fixture.find(backup)).toMatchObject({ status: 'failed', snapshot_ids: [], size_bytes: 0 });
        expect(await stored()).toEqual([]);
        expect(await fixture.orders()).toBe(0);
        expect(await lifecycle.status()).toBe('initialized');
        expect((await lifecycle.recorded()).events.at(-1)).toBe('deployment_operation_failed');
      },
    };
  };

  stepSuites('take_backup', begin, STEPS, STEPS);

  it('starts at the step in the catalogue of operations', () => {
    expect([STEPS[0], STEPS.length]).toEqual([OPERATIONS.take_backup.firstStep, OPERATIONS.take_backup.steps]);
  });

  it('fails with the error of a node that cannot archive', async () => {
    const { fixture, operation, expectUndone } = await begin();

    const status = await bench.drive(
      operation,
      () => bench.runner([fixture.lifecycle.workflows.backup]),
      async () => {
        await bench.rows(`update node_orders set status = 'failed', error = 'no room' where status = 'open'`);
      },
    );

    const [row] = await bench.rows<{ reason: string }>('select reason from operations where id = $1', [operation]);
    expect([status, row?.reason]).toEqual(['failed', 'node-1: no room']);
    await expectUndone();
  });

  it('fails when a node that it waits for is unreachable', async () => {
    const { fixture, operation, expectUndone } = await begin();

    const status = await bench.drive(
      operation,
      () => bench.runner([fixture.lifecycle.workflows.backup]),
      async () => {
        await bench.rows(`update nodes set status = 'unreachable' where name = 'node-2'`);
      },
    );

    expect(status).toBe('failed');
    await expectUndone();
  });

  it('excludes another backup while it runs, and allows one after it has ended', async () => {
    const { fixture, drive } = await begin();

    await expect(fixture.ask()).rejects.toMatchObject({ code: 'state_conflict' });
    await drive((_step, run) => run());

    await expect(fixture.ask()).resolves.toBeDefined();
  });
});
