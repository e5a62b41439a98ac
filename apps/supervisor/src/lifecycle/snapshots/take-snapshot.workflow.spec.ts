import { OPERATIONS } from '@libs/domain';
import { Database } from '@libs/persistence';
import { DiagnosticSnapshotsRepository, RuntimesRepository } from '@libs/persistence/runtime';
import { stepSuites, WorkflowBench, type Around } from '@libs/testing';
import { readdir } from 'node:fs/promises';
import { DeploymentOperations } from '../../platform/deployment-operations.js';
import { snapshotObjects } from '../../platform/stored-objects.js';
import { TenantPlans } from '../../platform/tenant-plans.js';
import { assembleLifecycle } from '../../../test/assemble-lifecycle.fixture.js';
import { SnapshotBuilder } from '../../snapshots/snapshot-builder.js';
import { SnapshotRequests } from '../../snapshots/snapshot-requests.js';
import { LifecycleFixture } from '../../../test/lifecycle.fixture.js';
import { TAKE_SNAPSHOT } from './take-snapshot.workflow.js';

const STEPS = Object.keys(TAKE_SNAPSHOT).filter((step) => step !== 'discarding_snapshot');
const NODES = 3;
const WISH = { redactSecrets: true, includeData: true, authorId: null, apiKeyId: null, traceId: '1'.repeat(32) };

class CountingDatabase extends Database {
  queries = 0;

  override query<Row>(...query: Parameters<Database['query']>): Promise<Row[]> {
    this.queries += 1;
    return super.query<Row>(...query);
  }
}

describe('take_snapshot', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  const begin = async () => {
    const lifecycle = await LifecycleFixture.serving(bench, NODES);
    const { deploymentId } = lifecycle;
    const requests = new SnapshotRequests(
      lifecycle.module.get(DiagnosticSnapshotsRepository, { strict: false }),
      lifecycle.module.get(RuntimesRepository, { strict: false }),
      lifecycle.module.get(TenantPlans, { strict: false }),
      lifecycle.module.get(DeploymentOperations, { strict: false }),
    );
    const ask = () => bench.database.transaction(() => requests.take({ ...WISH, deploymentId }));
    const { snapshot, operation } = await ask();
    const find = () => new DiagnosticSnapshotsRepository(bench.database).find(deploymentId, snapshot);
    const stored = (): Promise<string[]> =>
      readdir(`${lifecycle.objects}/objects/${snapshotObjects(deploymentId, snapshot)}`).catch(() => []);
    const orders = async (): Promise<number> =>
      Number((await bench.rows<{ count: string }>('select count(*) from node_orders'))[0]?.count);
    return {
      ...{ lifecycle, ask, operation, find, stored, orders },
      drive: (around: Around) =>
        bench.drive(
          operation,
          () => bench.runner([lifecycle.workflows.snapshot], around),
          () => lifecycle.agentsReport(),
        ),
      expectDone: async () => {
        expect(await find()).toMatchObject({ status: 'completed', completed_at: expect.any(Date) });
        expect(await stored()).toEqual(['snapshot.zip']);
        expect(await orders()).toBe(0);
        expect(await lifecycle.status()).toBe('initialized');
      },
      expectUndone: async () => {
        expect(await find()).toBeNull();
        expect(await stored()).toEqual([]);
        expect(await orders()).toBe(0);
        expect(await lifecycle.status()).toBe('initialized');
        expect((await lifecycle.recorded()).events.at(-1)).toBe('deployment_operation_failed');
      },
    };
  };

  stepSuites('take_snapshot', begin, STEPS, STEPS);

  it('starts at the step in the catalogue of operations', () => {
    expect([STEPS[0], STEPS.length]).toEqual([OPERATIONS.take_snapshot.firstStep, OPERATIONS.take_snapshot.steps]);
  });

  it('completes without nodes that fail or stop reporting', async () => {
    const { lifecycle, operation, expectDone } = await begin();

    const status = await bench.drive(
      operation,
      () => bench.runner([lifecycle.workflows.snapshot]),
      async () => {
        await bench.rows(
          `update node_orders set status = 'failed', error = 'no room' where status = 'open'
              and node_id in (select id from nodes where name = 'node-1')`,
        );
        await bench.rows(`update nodes set last_seen_at = now() - interval '1 minute' where name = 'node-2'`);
        await bench.rows(`update node_orders set status = 'done' where status = 'open'
              and node_id in (select id from nodes where name = 'node-3')`);
      },
    );

    expect(status).toBe('succeeded');
    await expectDone();
    const [row] = await bench.rows<{ memo: { collected: { missing: string | null }[] } }>(
      'select memo from operations where id = $1',
      [operation],
    );
    expect(row?.memo.collected.map(({ missing }) => missing)).toEqual(['no room', 'it was not reachable', null]);
  });

  it('uses the same number of database queries for five nodes without diagnostics as for one', async () => {
    const queriesFor = async (nodes: number): Promise<number> => {
      const lifecycle = await LifecycleFixture.serving(bench, nodes);
      const database = new CountingDatabase(bench.database.dataSource);
      const module = await assembleLifecycle({ database, secrets: bench.secrets, store: lifecycle.store });
      const builder = module.get(SnapshotBuilder, { strict: false });
      const snapshot = { id: 1, name: 's', redactSecrets: true, includeData: false, createdAt: new Date() };
      await builder.build(lifecycle.deploymentId, snapshot, [], new AbortController().signal);
      return database.queries;
    };

    expect(await queriesFor(5)).toBe(await queriesFor(1));
  });

  it('excludes another snapshot while it runs, and allows one after it has ended', async () => {
    const { ask, drive } = await begin();

    await expect(ask()).rejects.toMatchObject({ code: 'state_conflict' });
    await drive((_step, run) => run());

    await expect(ask()).resolves.toBeDefined();
  });
});
