import { eventually, WorkflowBench } from '@libs/testing';
import { BackupsRepository, RuntimesRepository } from '@libs/persistence/runtime';
import type { SupervisorConfig } from '../config.js';
import { BackupFixture } from '../../test/backup.fixture.js';
import { LifecycleFixture } from '../../test/lifecycle.fixture.js';
import { DeploymentOperations } from '../platform/deployment-operations.js';
import { BackupCleanupReconciler } from './backup-cleanup-reconciler.js';

describe('Expired backups', () => {
  let bench: WorkflowBench;
  beforeEach(async () => {
    bench = await WorkflowBench.open();
  });
  afterEach(() => bench.close());

  const aBackup = async () => {
    const lifecycle = await LifecycleFixture.serving(bench, 1);
    const fixture = new BackupFixture(lifecycle);
    const id = await fixture.taken();
    // The backup that was created first expires first.
    await bench.rows(`update backups set expires_at = now() - interval '1 hour' + id * interval '1 second'`);
    const status = async () =>
      (await bench.rows<{ status: string }>('select status from backups where id = $1', [id]))[0]?.status;
    return { id, deploymentId: lifecycle.deploymentId, status };
  };
  const deletions = () =>
    bench.rows<{ deployment_id: number; memo: unknown; author_id: number | null; queue: string }>(
      `select deployment_id, memo, author_id, queue from operations where type = 'delete_backup' order by id`,
    );
  const reconcileUntil = async (what: string, condition: () => Promise<boolean>): Promise<void> => {
    const { database } = bench;
    const runtimes = new RuntimesRepository(database);
    const operations = new DeploymentOperations(runtimes, bench.operations);
    const backups = new BackupsRepository(database);
    const settings = { SUPERVISOR_CELL: 'local' } as SupervisorConfig;
    const reconcilers = [1, 2].map(
      () => new BackupCleanupReconciler(database, operations, runtimes, backups, settings),
    );
    for (const reconciler of reconcilers) reconciler.onApplicationBootstrap();
    await eventually(what, condition);
    for (const reconciler of reconcilers) await reconciler.onModuleDestroy();
  };

  it('are deleted once, without an author, by any number of processes', async () => {
    const { id, deploymentId, status } = await aBackup();

    await reconcileUntil('it is marked', async () => (await status()) === 'deleting');

    expect(await deletions()).toEqual([
      { deployment_id: deploymentId, memo: { backup_id: id }, author_id: null, queue: expect.stringMatching(/local$/) },
    ]);
  });

  it('are kept while a restore uses them or the deployment is being deleted', async () => {
    const [restored, ofDeleted, other] = [await aBackup(), await aBackup(), await aBackup()];
    await bench.start({
      type: 'restore_backup',
      deploymentId: restored.deploymentId,
      memo: { backup_id: restored.id },
    });
    await bench.rows(`update deployment_runtimes set status = 'deleting' where deployment_id = $1`, [
      ofDeleted.deploymentId,
    ]);

    await reconcileUntil('the other is marked', async () => (await other.status()) === 'deleting');

    expect([await restored.status(), await ofDeleted.status()]).toEqual(['completed', 'completed']);
    expect((await deletions()).map(({ memo }) => memo)).toEqual([{ backup_id: other.id }]);
  });
});
