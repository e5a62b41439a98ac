import { eventually, WorkflowBench } from '@libs/testing';
import { OverdueOperationsReconciler, WorkflowLog } from './index.js';

describe('The reconciler of overdue operations', () => {
  let bench: WorkflowBench;
  let wokenUp: number[];
  let ran: number[];
  let failures: number[];
  let finish: (() => void)[];

  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    await bench.rows('delete from operation_events');
    await bench.rows('delete from operations');
    [wokenUp, ran, failures, finish] = [[], [], [], []];
  });

  /** A reconciler over a queue that records wake-ups. Its direct runs end when the test allows it. */
  function aReconciler(hasQueue: boolean, queues = ['operations.local']): OverdueOperationsReconciler {
    const queue = { wakeUp: (_: string, id: number) => void wokenUp.push(id), depth: () => Promise.resolve(0) };
    const log = Object.assign(new WorkflowLog(), { interrupted: (id: number) => void failures.push(id) });
    const run = (id: number): Promise<void> => {
      ran.push(id);
      return new Promise((resolve) => finish.push(resolve));
    };
    return new OverdueOperationsReconciler(bench.database, queue, log, { queues, run, hasQueue, periodMs: 10 });
  }

  /** An operation that became due before this number of seconds. */
  async function due(seconds: number): Promise<number> {
    const id = await bench.start({ type: 'provision_deployment' });
    await bench.rows(`update operations set wake_at = now() - make_interval(secs => $2) where id = $1`, [id, seconds]);
    return id;
  }

  it('wakes up a worker for an operation that has been due for more than a second', async () => {
    const late = await due(1.2);
    await due(0.2);
    await due(-5);

    await aReconciler(true).sweep();

    expect([wokenUp, ran]).toEqual([[late], []]);
  });

  it('runs every due operation itself without a queue, at once', async () => {
    const ids = [await due(2), await due(0.01)];
    await due(-5);

    await aReconciler(false).sweep();

    expect([wokenUp, ran]).toEqual([[], ids]);
  });

  it('runs operations itself for a minute after the queue did not react for ten seconds', async () => {
    const reconciler = aReconciler(true);
    const first = await due(9);
    await reconciler.sweep();
    expect([wokenUp, ran]).toEqual([[first], []]);

    await bench.rows(`update operations set wake_at = now() - interval '10.1 seconds'`);
    await reconciler.sweep();
    const second = await due(2);
    await reconciler.sweep();

    expect([wokenUp, ran]).toEqual([[first], [first, second]]);
  });

  it('runs an operation once at a time, and again after the run', async () => {
    const id = await due(2);
    const reconciler = aReconciler(false);
    await reconciler.sweep();
    await reconciler.sweep();
    expect(ran).toEqual([id]);

    finish[0]?.();
    await new Promise((resolve) => setImmediate(resolve));
    await reconciler.sweep();

    expect(ran).toEqual([id, id]);
  });

  it('runs at most twenty operations at a time', async () => {
    for (let n = 0; n < 22; n += 1) await due(30 - n);

    await aReconciler(false).sweep();

    expect(ran).toHaveLength(20);
  });

  it('leaves operations of other queues alone', async () => {
    await due(2);

    await aReconciler(false, ['operations.elsewhere']).sweep();

    expect(ran).toEqual([]);
  });

  it('repeats its pass until it stops, also after a failure', async () => {
    const reconciler = aReconciler(false);
    await bench.rows('alter table operations rename to hidden');
    reconciler.start();
    await eventually('two passes failed', async () => failures.length >= 2);
    await bench.rows('alter table hidden rename to operations');
    const id = await due(2);
    await eventually('the operation runs', async () => ran.includes(id));

    await reconciler.stop();

    expect(new Set(failures)).toEqual(new Set([0]));
  });
});
