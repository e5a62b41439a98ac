import type { WakeUpQueue } from '@libs/queue';
import { WorkflowBench } from '@libs/testing';
import { toy, type ToySteps } from '../test/toy.fixture.js';
import { done, hop, nap, OperationStore, Runner, StepImpossible, WorkflowLog, type Workflow } from './index.js';

interface WakeUp {
  queue: string;
  id: number;
  delayMs: number | undefined;
}

class QuietLog extends WorkflowLog {
  readonly lines: string[] = [];

  override stepRan(): void {}
  override stepFailed(): void {}
  override failed(): void {}
  override skipped(): void {}
  override ended(_: unknown, status: string): void {
    this.lines.push(`ended ${status}`);
  }
  override unknownStep(): void {
    this.lines.push('unknown step');
  }
  override interrupted(): void {
    this.lines.push('interrupted');
  }
}

/** A queue that records wake-ups, over the real rows. */
describe('The moves of an operation', () => {
  let bench: WorkflowBench;
  let wakeUps: WakeUp[];
  let log: QuietLog;
  let stepLog: string[];

  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());
  beforeEach(() => {
    [wakeUps, stepLog] = [[], []];
    log = new QuietLog();
  });

  function runnerOf(steps: Partial<ToySteps>, callbacks: Partial<Workflow> = {}): Runner {
    const queue: WakeUpQueue = {
      wakeUp: (name, id, delayMs) => void wakeUps.push({ queue: name, id, delayMs }),
      depth: () => Promise.resolve(0),
    };
    const workflow = { ...toy(stepLog, steps), ...callbacks };
    const byType = new Map([[workflow.type, workflow]]);
    return new Runner(bench.database, new OperationStore(bench.database), queue, byType, log);
  }
  const start = (deploymentId: number | null = null): Promise<number> =>
    bench.start({ type: 'provision_deployment', deploymentId });
  const row = async (id: number) =>
    (
      await bench.rows<Record<string, any>>(
        'select *, wake_at - now() > $2::interval as is_later from operations where id = $1',
        [id, '59 seconds'],
      )
    )[0] ?? {};
  const history = async (id: number): Promise<string[]> => {
    const rows = await bench.rows<{ name: string; status: string; error: string | null }>(
      'select name, status, error from operation_steps where operation_id = $1 order by seq',
      [id],
    );
    return rows.map(({ name, status, error }) => [name, status, error].filter(Boolean).join(' '));
  };

  it('wake up a worker after a nap of up to a minute', async () => {
    const [short, long] = [await start(), await start()];
    await runnerOf({ creating: async () => nap('60s', 'waiting') }).run(short);
    await runnerOf({ creating: async () => nap('61s', 'waiting') }).run(long);

    expect(wakeUps).toEqual([{ queue: 'operations.local', id: short, delayMs: 60_000 }]);
    expect((await row(long))['is_later']).toBe(true);
  });

  it('wake up a worker at once after a signal during the step', async () => {
    const id = await start(4801);
    const napping = async () => {
      await bench.database.transaction(() => bench.operations.signal(4801));
      return nap('60s', 'waiting');
    };

    await runnerOf({ creating: napping }).run(id);

    expect(wakeUps).toEqual([{ queue: 'operations.local', id, delayMs: undefined }]);
  });

  it('wake up a worker after the delay of an error', async () => {
    const id = await start();

    await runnerOf({ creating: () => Promise.reject(new TypeError('x'.repeat(2_000))) }).run(id);

    expect(wakeUps).toMatchObject([{ queue: 'operations.local', id }]);
    expect(wakeUps[0]?.delayMs).toBeGreaterThanOrEqual(125);
    expect(wakeUps[0]?.delayMs).toBeLessThanOrEqual(250);
    expect((await row(id))['last_error']).toBe('x'.repeat(1000));
  });

  it('write the rows of the workflow with each step', async () => {
    const id = await start();
    const entered: string[] = [];
    const inTransaction: boolean[] = [];
    const callbacks = {
      entered: async (_: unknown, step: string) => {
        inTransaction.push(bench.database.isInTransaction);
        entered.push(step);
      },
    };

    await runnerOf({ creating: async () => hop('second', { memo: { a: 1 } }) }, callbacks).run(id);

    expect([entered, inTransaction]).toEqual([
      ['second', 'third'],
      [true, true],
    ]);
    expect(await row(id)).toMatchObject({ status: 'succeeded', memo: { a: 1 }, reason: null });
    expect(log.lines).toEqual(['ended succeeded']);
  });

  it('undo the steps of a failure, tell the workflow, and keep the reason', async () => {
    const id = await start();
    const reported: unknown[] = [];
    const failure = { step: 'third', reason: 'no region' };
    const callbacks: Partial<Workflow> = {
      undoing: async (_, about) => void reported.push('undoing', about),
      failed: async (_, about) => void reported.push('failed', about),
    };

    await runnerOf({ third: () => Promise.reject(new StepImpossible('no region')) }, callbacks).run(id);

    expect(reported).toEqual(['undoing', failure, 'failed', failure]);
    expect(await history(id)).toEqual([
      'creating succeeded',
      'second succeeded',
      'third failed no region',
      'undo_second undone',
    ]);
    expect(await row(id)).toMatchObject({ status: 'failed', reason: 'no region', undoing: true, undo: [] });
  });

  it('write the rows of the last step and of the last undone step with the end', async () => {
    const [id, undone] = [await start(), await start()];
    const states: string[] = [];
    const write = (name: string, operationId: number) => async (): Promise<void> => {
      const status = (
        await bench.database.manager.query('select status from operations where id = $1', [operationId])
      )[0];
      states.push(`${name} ${status.status} ${bench.database.isInTransaction}`);
    };
    await runnerOf({ third: async () => done({ write: write('third', id) }) }).run(id);
    await bench.rows(`update operations set undo = '{undo_first}' where id = $1`, [undone]);
    await runnerOf({
      third: () => Promise.reject(new StepImpossible('no')),
      undo_second: async () => done({ write: write('undo_second', undone) }),
      undo_first: async () => done({ write: write('undo_first', undone) }),
    }).run(undone);

    expect(states).toEqual(['third succeeded true', 'undo_second running true', 'undo_first failed true']);
  });

  it('end at once when nothing is to be undone', async () => {
    const id = await start();
    const reported: unknown[] = [];
    const callbacks: Partial<Workflow> = { failed: async (_, { step }) => void reported.push(step) };

    await runnerOf({ creating: () => Promise.reject(new StepImpossible('no')) }, callbacks).run(id);

    expect([reported, stepLog]).toEqual([['creating'], ['creating']]);
    expect(await row(id)).toMatchObject({ status: 'failed', reason: 'no' });
  });

  it('undo each registered step, and do not undo a step twice', async () => {
    const id = await start();
    await bench.rows(`update operations set undo = '{undo_first,undo_second}' where id = $1`, [id]);

    await runnerOf({ third: () => Promise.reject(new StepImpossible('no')) }).run(id);

    expect(stepLog).toEqual(['creating', 'second', 'third', 'undo_second', 'undo_first']);
    expect(await history(id)).toEqual([
      'creating succeeded',
      'second succeeded',
      'third failed no',
      'undo_second undone',
      'undo_first undone',
    ]);
  });

  it('end as cancelled after a request of an operator, and undo first', async () => {
    const id = await start();
    const waiting = { second: async () => nap('1h', 'waiting') };
    await runnerOf(waiting).run(id);
    await bench.rows(`update operations set cancel_reason = 'no need', wake_at = now() where id = $1`, [id]);

    await runnerOf(waiting).run(id);

    expect(stepLog).toEqual(['creating', 'second', 'undo_second']);
    expect(await row(id)).toMatchObject({ status: 'cancelled', reason: 'no need' });
    expect(await history(id)).toContain('second cancelled no need');
  });

  it('skip a step after a request of an operator, also the last step', async () => {
    const id = await start();
    await bench.rows(`update operations set skip_step = 'creating' where id = $1`, [id]);
    await runnerOf({ second: async () => nap('1h', 'waiting') }).run(id);
    expect(await history(id)).toEqual(['creating skipped']);

    await bench.rows(`update operations set step = 'third', skip_step = 'third', wake_at = now() where id = $1`, [id]);
    await runnerOf({}).run(id);

    expect(stepLog).toEqual(['second']);
    expect((await row(id))['status']).toBe('succeeded');
  });

  it('ignore a request to skip another step', async () => {
    const id = await start();
    await bench.rows(`update operations set skip_step = 'third' where id = $1`, [id]);

    await runnerOf({}).run(id);

    expect(stepLog).toEqual(['creating', 'second', 'third']);
  });

  it('have the deadline of each step', async () => {
    const id = await start();
    const deadlines: unknown[] = [];
    const readSeconds = async (): Promise<void> => {
      const [row] = await bench.rows<{ seconds: number | null }>(
        'select round(extract(epoch from deadline - now()))::int as seconds from operations where id = $1',
        [id],
      );
      deadlines.push(row?.seconds);
    };
    await runnerOf({
      second: async () => readSeconds().then(() => hop('third')),
      third: async () => readSeconds().then(() => nap('1h', 'waiting')),
    }).run(id);

    expect(deadlines).toEqual([60, null]);
  });

  it('stop with the process: the lease is free for another worker', async () => {
    const [id, other] = [await start(), await start()];
    const runner: Runner = runnerOf({
      creating: async () => {
        runner.stop();
        return hop('second');
      },
    });

    await runner.run(id);
    await runner.run(other);

    expect(stepLog).toEqual(['creating']);
    expect(await row(id)).toMatchObject({ step: 'second', lease_until: null, status: 'running' });
    expect(await row(other)).toMatchObject({ step: 'creating', status: 'pending' });
    await runnerOf({}).run(id);
    expect(stepLog).toEqual(['creating', 'second', 'third']);
  });

  it('report an unknown step once, and look again after a minute', async () => {
    const id = await start();
    await bench.rows(`update operations set step = 'later' where id = $1`, [id]);
    const runner = runnerOf({});
    await runner.run(id);
    expect(await row(id)).toMatchObject({ is_later: true, reason: 'no worker knows step later' });
    await bench.rows('update operations set wake_at = now() where id = $1', [id]);

    await runner.run(id);

    expect(log.lines).toEqual(['unknown step']);
    expect(wakeUps).toEqual([]);
  });

  it('do not report a lost lease as a failure, but report a lost database', async () => {
    const id = await start();
    const steal = async () => {
      await bench.rows('update operations set lease_token = lease_token + 1 where id = $1', [id]);
      return hop('second');
    };
    await runnerOf({ creating: steal }).run(id);
    expect([log.lines, (await row(id))['attempt']]).toEqual([[], 0]);

    const other = await start();
    const hide = async () => {
      await bench.rows('alter table operation_steps rename to hidden');
      await bench.rows('alter table operation_events rename to hidden_events');
      return hop('second');
    };
    await runnerOf({ creating: hide }).run(other);
    await bench.rows('alter table hidden rename to operation_steps');
    await bench.rows('alter table hidden_events rename to operation_events');

    expect(log.lines).toEqual(['interrupted']);
  });
});
