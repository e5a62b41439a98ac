import { OPERATIONS } from '@libs/domain';
import { stepSuites, WorkflowBench, type Around } from '@libs/testing';
import { Readable } from 'node:stream';
import { backupArchive } from '../../platform/stored-objects.js';
import { BackupFixture } from '../../../test/backup.fixture.js';
import { LifecycleFixture } from '../../../test/lifecycle.fixture.js';
import { RESTORE_BACKUP } from './restore-backup.workflow.js';

const UNDO = ['reverting_data', 'starting_old_nodes'];
/** Of backups by snapshots: see snapshot-backups.spec.ts. */
const STEPS = Object.keys(RESTORE_BACKUP).filter((step) => ![...UNDO, 'attaching_disks'].includes(step));
const NODES = 3;

describe('restore_backup', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  const begin = async () => {
    const lifecycle = await LifecycleFixture.serving(bench, NODES);
    const fixture = new BackupFixture(lifecycle);
    const backup = await fixture.taken();
    const operation = await lifecycle.start('restore_backup', { backup_id: backup });
    const kinds: string[] = [];
    /** Records the kinds of orders that nodes execute, each kind once. */
    const world = async (): Promise<void> => {
      const rows = await bench.rows<{ kind: string }>(`select distinct kind from node_orders where status = 'open'`);
      kinds.push(...rows.map(({ kind }) => kind).filter((kind) => !kinds.includes(kind)));
      await lifecycle.agentsReport();
    };
    const expectServing = async (): Promise<void> => {
      const [row] = await bench.rows<{ held: string }>(
        'select count(*) as held from nodes where deployment_id = $1 and held_at is not null',
        [lifecycle.deploymentId],
      );
      expect([Number(row?.held), await lifecycle.status(), await fixture.orders()]).toEqual([0, 'initialized', 0]);
    };
    return {
      lifecycle,
      backup,
      operation,
      kinds,
      drive: (around: Around) =>
        bench.drive(operation, () => bench.runner([lifecycle.workflows.restore], around), world),
      expectDone: async () => {
        await expectServing();
        expect(kinds).toEqual(['restore_data', 'settle_data']);
      },
      expectUndone: async () => {
        await expectServing();
        expect(kinds.filter((kind) => kind === 'settle_data')).toEqual([]);
        expect((await lifecycle.recorded()).events.at(-1)).toBe('deployment_operation_failed');
      },
    };
  };

  // A failure of this step is no reason to revert the restore.
  const undoable = STEPS.filter((step) => step !== 'discarding_old_data');
  stepSuites('restore_backup', begin, STEPS, undoable);

  it('starts at the step in the catalogue of operations', () => {
    expect([STEPS[0], STEPS.length]).toEqual([OPERATIONS.restore_backup.firstStep, OPERATIONS.restore_backup.steps]);
  });

  it('stops no node for a damaged or missing backup', async () => {
    for (const harm of ['damage', 'remove'] as const) {
      const { lifecycle, backup, drive, operation, kinds } = await begin();
      const [node] = await bench.rows<{ id: number }>('select id from nodes where deployment_id = $1 order by id', [
        lifecycle.deploymentId,
      ]);
      const key = backupArchive(lifecycle.deploymentId, backup, Number(node?.id));
      if (harm === 'remove') await lifecycle.store.remove(key);
      else await lifecycle.store.put(key, Readable.from([Buffer.from('other data')]), 1_000);

      const statuses: string[] = [];
      const status = await drive(async (step, run) => {
        statuses.push(step);
        return run();
      });

      const [row] = await bench.rows<{ reason: string }>('select reason from operations where id = $1', [operation]);
      expect([status, statuses, kinds]).toEqual(['failed', ['verifying_backup'], []]);
      expect(row?.reason).toContain('damaged');
      expect(await lifecycle.status()).toBe('initialized');
    }
  });

  it.each([
    ['another key', `update backups set data_key_id = 'other'`, 'the backup is encrypted with another key'],
    ['a key that is lost', `update deployment_runtimes set data_key = 'v1.lost'`, 'the key of the deployment'],
  ])('stops no node for %s', async (_case, harm, reason) => {
    const { lifecycle, drive, operation, kinds } = await begin();
    await bench.rows(`${harm} where deployment_id = $1`, [lifecycle.deploymentId]);

    const statuses: string[] = [];
    const status = await drive(async (step, run) => {
      statuses.push(step);
      return run();
    });

    const [row] = await bench.rows<{ reason: string }>('select reason from operations where id = $1', [operation]);
    expect([status, statuses, kinds]).toEqual(['failed', ['verifying_backup'], []]);
    expect(row?.reason).toContain(reason);
    expect(await lifecycle.status()).toBe('initialized');
  });

  it('restores an encrypted backup with the same key, and refuses one that is not encrypted', async () => {
    for (const isEncrypted of [true, false]) {
      const lifecycle = await LifecycleFixture.serving(bench, 1);
      const row = lifecycle.deploymentId;
      const key = bench.secrets.seal({ table: 'deployment_runtimes', column: 'data_key', row }, 'a2V5');
      const encrypt = () =>
        bench.rows('update deployment_runtimes set data_key = $2 where deployment_id = $1', [row, key]);
      if (isEncrypted) await encrypt();
      const backup = await new BackupFixture(lifecycle).taken();
      if (!isEncrypted) await encrypt();

      const operation = await lifecycle.start('restore_backup', { backup_id: backup });
      const runner = () => bench.runner([lifecycle.workflows.restore]);
      const status = await bench.drive(operation, runner, () => lifecycle.agentsReport());

      expect(status).toBe(isEncrypted ? 'succeeded' : 'failed');
    }
  });

  it('reverts the data of every node when one node cannot restore it', async () => {
    const { lifecycle, operation, expectUndone, kinds } = await begin();

    const status = await bench.drive(
      operation,
      () => bench.runner([lifecycle.workflows.restore]),
      async () => {
        const failed = `update node_orders set status = 'failed', error = 'no room'
                         where kind = 'restore_data' and status = 'open' returning kind`;
        kinds.push(...(await bench.rows<{ kind: string }>(failed)).map(({ kind }) => kind));
        const back = await bench.rows<{ kind: string }>(
          `select kind from node_orders where kind = 'revert_data' and status = 'open'`,
        );
        kinds.push(...back.map(({ kind }) => kind));
        await lifecycle.agentsReport();
      },
    );

    expect(status).toBe('failed');
    expect(kinds.filter((kind) => kind === 'revert_data')).toHaveLength(NODES);
    await expectUndone();
  });
});
