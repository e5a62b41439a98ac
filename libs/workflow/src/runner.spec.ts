import { SilentWakeUpQueue } from '@libs/queue';
import { WorkflowBench } from '@libs/testing';
import { hop, nap, StepImpossible } from './index.js';
import { OverdueOperationsReconciler, WorkflowLog } from './index.js';
import { toy } from '../test/toy.fixture.js';

describe('The runner', () => {
  let bench: WorkflowBench;
  let stepLog: string[];

  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());
  beforeEach(() => void (stepLog = []));

  const start = (): Promise<number> => bench.start({ type: 'provision_deployment' });
  const row = async (id: number) =>
    (await bench.rows<Record<string, any>>('select * from operations where id = $1', [id]))[0] ?? {};

  it('runs consecutive steps in one run, and records each of them', async () => {
    const id = await start();

    await bench.runner([toy(stepLog)]).run(id);

    expect(stepLog).toEqual(['creating', 'second', 'third']);
    expect(await row(id)).toMatchObject({ status: 'succeeded', step: 'third', lease_until: null });
    const history = await bench.rows<{ name: string; status: string }>(
      'select name, status from operation_steps where operation_id = $1 order by seq',
      [id],
    );
    expect(history.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'creating succeeded',
      'second succeeded',
      'third succeeded',
    ]);
  });

  it('lets one of two runners work on an operation', async () => {
    const id = await start();
    let entered = 0;
    const slow = toy(stepLog, {
      creating: async () => {
        entered += 1;
        await bench.runner([toy(stepLog)]).run(id);
        return hop('second');
      },
    });

    await bench.runner([slow]).run(id);

    expect(entered).toBe(1);
    expect(stepLog).toEqual(['creating', 'second', 'third']);
  });

  it('refuses the write of a runner that lost its lease, and counts the effect once', async () => {
    const id = await start();
    const other = bench.runner([toy(stepLog)]);
    const stopped = toy([], {
      creating: async () => {
        await bench.rows("update operations set lease_until = now() - interval '1 second' where id = $1", [id]);
        await other.run(id);
        return hop('second', { memo: { stale: true } });
      },
    });

    await bench.runner([stopped]).run(id);

    expect(await row(id)).toMatchObject({ status: 'succeeded', step_seq: 3 });
    expect((await row(id))['memo']).toEqual({});
    expect(await bench.rows('select 1 from operation_steps where operation_id = $1', [id])).toHaveLength(3);
  });

  it('ends a nap at once after a signal during the step', async () => {
    const deploymentId = 4711;
    const id = await bench.start({ type: 'provision_deployment', deploymentId });
    let naps = 0;
    const napping = toy(stepLog, {
      creating: async () => {
        if (naps++ > 0) return hop('second');
        await bench.database.transaction(() => bench.operations.signal(deploymentId));
        return nap('1h', 'waiting for the world');
      },
    });

    await bench.runner([napping]).run(id);
    const due = (await row(id))['wake_at'] as Date;
    await bench.runner([napping]).run(id);

    expect(due.getTime()).toBeLessThanOrEqual(Date.now());
    expect((await row(id))['status']).toBe('succeeded');
  });

  it('runs a napping operation again after a signal', async () => {
    const deploymentId = 4712;
    const id = await bench.start({ type: 'provision_deployment', deploymentId });
    let naps = 0;
    const napping = toy(stepLog, { creating: async () => (naps++ > 0 ? hop('second') : nap('1h', 'waiting')) });

    await bench.runner([napping]).run(id);
    await bench.runner([napping]).run(id);
    const asleep = (await row(id))['step'];
    await bench.database.transaction(() => bench.operations.signal(deploymentId));
    await bench.runner([napping]).run(id);

    expect(asleep).toBe('creating');
    expect((await row(id))['status']).toBe('succeeded');
  });

  it('retries after an error with growing delays, and stores the error', async () => {
    const id = await start();
    const failing = toy(stepLog, { creating: () => Promise.reject(new TypeError('the provider is away')) });

    await bench.runner([failing]).run(id);
    const first = await row(id);
    await bench.rows('update operations set wake_at = now() where id = $1', [id]);
    await bench.runner([failing]).run(id);

    expect(first).toMatchObject({
      status: 'running',
      attempt: 1,
      last_error: 'the provider is away',
      lease_until: null,
    });
    expect((first['wake_at'] as Date).getTime()).toBeGreaterThan(Date.now() - 1000);
    expect(await row(id)).toMatchObject({ attempt: 2, step: 'creating' });
  });

  it('undoes the registered steps, newest first, and stores the reason', async () => {
    const id = await start();
    await bench.rows(`update operations set undo = '{undo_first}' where id = $1`, [id]);
    const failing = toy(stepLog, { third: () => Promise.reject(new StepImpossible('no such region')) });

    await bench.runner([failing]).run(id);

    expect(stepLog).toEqual(['creating', 'second', 'third', 'undo_second', 'undo_first']);
    expect(await row(id)).toMatchObject({ status: 'failed', reason: 'no such region' });
  });

  it('fails a step after its time limit, by the clock of the database', async () => {
    const id = await start();
    const stuck = toy(stepLog, { second: async () => nap('1s', 'still waiting') });
    await bench.runner([stuck]).run(id);
    await bench.rows(
      `update operations set step_entered_at = now() - interval '61 minutes', wake_at = now() where id = $1`,
      [id],
    );

    await bench.runner([stuck]).run(id);

    expect(await row(id)).toMatchObject({ status: 'failed' });
    expect((await row(id))['reason']).toBe('gave up after 1h: still waiting');
  });

  it('opens one incident for a step that misses its deadline, also after several sweeps', async () => {
    const id = await start();
    await bench.runner([toy(stepLog, { second: async () => nap('1h', 'still waiting') })]).run(id);
    await bench.rows(`update operations set deadline = now() - interval '1 second' where id = $1`, [id]);

    const lines: string[] = [];
    const reconciler = reconcilerOf(
      bench,
      async () => undefined,
      false,
      (operation, step) => {
        lines.push(`${operation} ${step}`);
      },
    );
    await reconciler.sweep();
    await reconciler.sweep();

    const incidents = await bench.rows<{ id: number; kind: string }>(
      'select id, kind from incidents where operation_id = $1',
      [id],
    );
    expect(incidents).toMatchObject([{ kind: 'step_deadline_missed' }]);
    expect((await row(id))['incident_id']).toBe(incidents[0]?.id);
    expect(lines.filter((line) => line === `${id} second`)).toHaveLength(1);
  });

  it('does not change an operation with an unknown step, so that another release can run it', async () => {
    const id = await start();
    await bench.rows(`update operations set step = 'from_the_future' where id = $1`, [id]);

    await bench.runner([toy(stepLog)]).run(id);

    expect(stepLog).toEqual([]);
    expect(await row(id)).toMatchObject({ status: 'running', step: 'from_the_future', lease_until: null });
    expect((await row(id))['wake_at']).not.toEqual((await row(id))['created_at']);
  });

  it('opens one incident for an unknown step, and closes it when a release has the step', async () => {
    const id = await start();
    const open = () => bench.rows('select kind from incidents where operation_id = $1 and closed_at is null', [id]);
    await bench.rows(`update operations set step = 'from_the_future' where id = $1`, [id]);
    await bench.runner([toy(stepLog)]).run(id);
    await bench.rows('update operations set wake_at = now() where id = $1', [id]);
    await bench.runner([toy(stepLog)]).run(id);
    const opened = await open();

    await bench.rows(`update operations set step = 'second', wake_at = now() where id = $1`, [id]);
    await bench.runner([toy(stepLog)]).run(id);

    expect(opened).toEqual([{ kind: 'unknown_step' }]);
    expect(await open()).toEqual([]);
    expect((await row(id))['status']).toBe('succeeded');
  });

  it('allows one changing operation of a deployment at a time', async () => {
    await bench.start({ type: 'provision_deployment', deploymentId: 99 });

    const second = bench.start({ type: 'delete_deployment', deploymentId: 99 });

    await expect(second).rejects.toMatchObject({
      code: 'state_conflict',
      members: { operation_type: 'provision_deployment' },
    });
  });

  it('commits the writes of a step together with its move, or neither', async () => {
    const id = await start();
    const broken = toy(stepLog, {
      creating: async () =>
        hop('second', {
          write: async () => {
            await bench.database.manager.query(`insert into installation (name) values ('half')`);
            throw new TypeError('the second row does not fit');
          },
        }),
    });

    await bench.runner([broken]).run(id);

    expect(await row(id)).toMatchObject({
      step: 'creating',
      status: 'running',
      attempt: 1,
      lease_until: null,
      last_error: 'the second row does not fit',
    });
    expect(await bench.rows(`select 1 from installation where name = 'half'`)).toEqual([]);
  });

  it('runs an overdue operation without the queue when no worker reacts to wake-ups', async () => {
    const id = await start();
    const ran: number[] = [];
    const reconciler = reconcilerOf(bench, async (operationId) => void ran.push(operationId), true);

    await bench.rows(`update operations set wake_at = now() - interval '5 seconds' where id = $1`, [id]);
    await reconciler.sweep();
    const early = ran.includes(id);
    await bench.rows(`update operations set wake_at = now() - interval '11 seconds' where id = $1`, [id]);
    await reconciler.sweep();

    expect(early).toBe(false);
    expect(ran).toContain(id);
  });

  it('runs due operations without a queue', async () => {
    const id = await start();
    const runner = bench.runner([toy(stepLog)]);
    const ended = new Promise<void>((resolve) => {
      const reconciler = reconcilerOf(bench, async (operationId) => {
        await runner.run(operationId);
        if (operationId === id) void reconciler.stop().then(resolve);
      });
      reconciler.start();
    });

    await ended;

    expect((await row(id))['status']).toBe('succeeded');
  });
});

function reconcilerOf(
  bench: WorkflowBench,
  runDirectly: (id: number) => Promise<void>,
  hasQueue = false,
  incident: (operation: number, step: string) => void = () => undefined,
): OverdueOperationsReconciler {
  const log = Object.assign(new WorkflowLog(), { incident });
  return new OverdueOperationsReconciler(bench.database, new SilentWakeUpQueue(), log, {
    queues: ['operations.local'],
    run: runDirectly,
    hasQueue,
    periodMs: 20,
  });
}
