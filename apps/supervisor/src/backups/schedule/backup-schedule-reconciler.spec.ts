import { Ledger } from '@libs/ledger';
import { BackupSchedulesRepository, BackupsRepository, RuntimesRepository } from '@libs/persistence/runtime';
import { WorkflowBench } from '@libs/testing';
import type { SupervisorConfig } from '../../config.js';
import { BackupFixture } from '../../../test/backup.fixture.js';
import { LifecycleFixture } from '../../../test/lifecycle.fixture.js';
import { DeploymentOperations } from '../../platform/deployment-operations.js';
import { TenantPlans } from '../../platform/tenant-plans.js';
import { BackupCleanupReconciler } from '../backup-cleanup-reconciler.js';
import { BackupLedger } from '../backup-ledger.js';
import { BackupRequests } from '../backup-requests.js';
import { BackupScheduleReconciler } from './backup-schedule-reconciler.js';
import { ScheduleRoom } from './schedule-room.js';

class OnePass extends BackupScheduleReconciler {
  once(): Promise<void> {
    return this.pass(new AbortController().signal);
  }
}

class OneCleanup extends BackupCleanupReconciler {
  once(): Promise<void> {
    return this.pass(new AbortController().signal);
  }
}

describe('A schedule of backups that is due', () => {
  let bench: WorkflowBench;
  let fixture: BackupFixture;
  let lifecycle: LifecycleFixture;
  let schedules: BackupSchedulesRepository;

  beforeEach(async () => {
    bench = await WorkflowBench.open();
    lifecycle = await LifecycleFixture.serving(bench, 1);
    fixture = new BackupFixture(lifecycle);
    schedules = new BackupSchedulesRepository(bench.database);
  });
  afterEach(() => bench.close());

  const reconciler = (): OnePass => {
    const { database } = bench;
    const runtimes = new RuntimesRepository(database);
    const get = <T>(token: abstract new (...args: never[]) => T): T => lifecycle.module.get(token, { strict: false });
    return new OnePass(
      database,
      schedules,
      runtimes,
      get(BackupRequests),
      get(TenantPlans),
      new ScheduleRoom(
        schedules,
        new BackupsRepository(database),
        new DeploymentOperations(runtimes, bench.operations),
      ),
      new BackupLedger(get(Ledger)),
      { SUPERVISOR_CELL: 'local' } as SupervisorConfig,
    );
  };
  const cleanup = (): OneCleanup => {
    const { database } = bench;
    const runtimes = new RuntimesRepository(database);
    const operations = new DeploymentOperations(runtimes, bench.operations);
    const config = { SUPERVISOR_CELL: 'local' } as SupervisorConfig;
    return new OneCleanup(database, operations, runtimes, new BackupsRepository(database), config);
  };
  const due = async (keep = 2): Promise<void> => {
    const terms = { cron: null, every_hours: 24, keep };
    await schedules.put(lifecycle.deploymentId, terms, {
      nextAt: new Date(Date.now() - 72 * 3_600_000),
      authorId: null,
    });
  };
  const again = () => bench.rows(`update backup_schedules set next_at = now() - interval '1 minute'`);
  const schedule = async () => (await bench.rows<any>('table backup_schedules'))[0];
  const backups = () =>
    bench.rows<{ id: number; status: string; by_schedule: boolean }>(
      'select id, status, by_schedule from backups order by id',
    );
  /** Runs the operations of backups to their end. */
  const work = async (): Promise<void> => {
    const open = await bench.rows<{ id: number }>(
      `select id from operations where type in ('take_backup', 'delete_backup') and status in ('pending', 'running') order by id`,
    );
    const { workflows } = lifecycle;
    for (const { id } of open)
      await bench.drive(
        id,
        () => bench.runner([workflows.backup, workflows.backupDeletion]),
        () => lifecycle.agentsReport(),
      );
  };
  const events = () => bench.rows<any>(`select type, data from outbox where type = 'backup_failed' order by id`);

  it('takes one backup, also when it was due three times, and is due again at its next time', async () => {
    await due();
    await Promise.all([reconciler().once(), reconciler().once()]);

    expect(await backups()).toMatchObject([{ status: 'pending', by_schedule: true }]);
    const { next_at, last_run_at, last_error } = await schedule();
    expect(next_at.getTime()).toBeGreaterThan(Date.now());
    expect(next_at.getTime()).toBeLessThanOrEqual(Date.now() + 24 * 3_600_000);
    expect([last_run_at, last_error]).toEqual([expect.any(Date), null]);
  });

  it('keeps the newest backups that it made, and deletes no other backup', async () => {
    const manual = await fixture.taken();
    await due(2);
    for (let run = 0; run < 3; run += 1) {
      await again();
      await reconciler().once();
      await work();
    }
    const scheduledIds = (await backups()).filter((backup) => backup.by_schedule).map(({ id }) => id);
    expect(scheduledIds).toHaveLength(3);

    await cleanup().once();
    await work();

    expect((await backups()).map(({ id }) => id)).toEqual([manual, ...scheduledIds.slice(1)]);
  });

  it('waits for another operation, and tells nobody', async () => {
    await due();
    await fixture.ask();
    await reconciler().once();

    const { next_at, last_error } = await schedule();
    expect(last_error).toMatch(/Another backup/);
    expect(next_at.getTime()).toBeLessThanOrEqual(Date.now() + 10 * 60_000);
    expect(await backups()).toHaveLength(1);
    expect(await events()).toEqual([]);
  });

  it('makes room at the limit of the plan with its own oldest backup', async () => {
    await bench.rows(`update tenants set plan_overrides = '{"limits": {"deployment_backups_limit": 1}}'`);
    await due(1);
    await reconciler().once();
    await work();
    const [first] = await backups();
    await again();
    await reconciler().once();
    await work();

    const remaining = await backups();
    expect(remaining).toMatchObject([{ status: 'completed', by_schedule: true }]);
    expect(remaining[0]?.id).not.toBe(first?.id);
  });

  it('fails at the limit of the plan when the other backups are not its own, and tells the channels once', async () => {
    await bench.rows(`update tenants set plan_overrides = '{"limits": {"deployment_backups_limit": 1}}'`);
    await fixture.taken();
    await due(1);
    await reconciler().once();
    await reconciler().once();

    expect((await schedule()).paused_reason).toBeNull();
    expect(await backups()).toMatchObject([{ by_schedule: false }]);
    expect(await events()).toEqual([
      { type: 'backup_failed', data: expect.objectContaining({ backup_type: 'scheduled', backup_id: null }) },
    ]);
  });

  it('pauses when the plan becomes smaller, deletes nothing, and goes on with a larger plan', async () => {
    await due(3);
    await bench.rows(`update tenants set plan_overrides = '{"limits": {"deployment_backups_limit": 2}}'`);
    await reconciler().once();
    expect((await schedule()).paused_reason).toMatch(/allows 2/);
    expect(await backups()).toEqual([]);

    await bench.rows(`update tenants set plan_overrides = '{"limits": {"deployment_backups_limit": 3}}'`);
    await again();
    await reconciler().once();
    expect((await schedule()).paused_reason).toBeNull();
    expect(await backups()).toHaveLength(1);
  });

  it('pauses when the plan allows no backup at all, and tells the channels once', async () => {
    await due(1);
    await bench.rows(`update tenants set plan_overrides = '{"limits": {"deployment_backups_limit": 0}}'`);
    await reconciler().once();
    await again();
    await reconciler().once();

    expect((await schedule()).paused_reason).toMatch(/allows 0/);
    expect(await backups()).toEqual([]);
    expect(await events()).toHaveLength(1);
  });

  it('meets a request that changes the schedule, and neither waits for the other without end', async () => {
    await due();
    const { database } = bench;
    const change = () =>
      database.transaction(async () => {
        await new RuntimesRepository(database).findStatusForUpdate(lifecycle.deploymentId);
        await schedules.find(lifecycle.deploymentId);
      });

    for (let round = 0; round < 5; round += 1) {
      await again();
      await Promise.all([reconciler().once(), change(), reconciler().once(), change()]);
    }

    expect((await backups()).length).toBe(1);
  });

  it('tells the channels when the backup itself fails', async () => {
    await due();
    await reconciler().once();
    await bench.rows(`update operations set cancel_reason = 'cancelled by a test' where type = 'take_backup'`);
    await work();

    expect(await backups()).toMatchObject([{ status: 'failed' }]);
    expect(await events()).toMatchObject([{ data: { reason: 'cancelled by a test', backup_type: 'scheduled' } }]);
  });
});
