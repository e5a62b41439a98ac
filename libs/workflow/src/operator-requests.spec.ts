import { WorkflowBench } from '@libs/testing';
import { hop, nap, OperatorRequests } from './index.js';
import { toy } from '../test/toy.fixture.js';

describe("An operator's request", () => {
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
  const history = (id: number) =>
    bench
      .rows<{
        name: string;
        status: string;
      }>('select name, status from operation_steps where operation_id = $1 order by seq', [id])
      .then((steps) => steps.map(({ name, status }) => `${name} ${status}`));
  const ask = <T>(request: (requests: OperatorRequests) => Promise<T>): Promise<T> =>
    bench.database.transaction(() => request(new OperatorRequests(bench.database)));

  it('to retry runs the waiting step at once', async () => {
    const id = await start();
    let tries = 0;
    const workflow = toy(stepLog, { second: async () => (tries++ > 0 ? hop('third') : nap('1h', 'waiting')) });
    await bench.runner([workflow]).run(id);

    const outcome = await ask((requests) => requests.retry(id));

    expect(outcome).toMatchObject({ id, type: 'provision_deployment', status: 'running' });
    await bench.runner([workflow]).run(id);

    expect((await row(id))['status']).toBe('succeeded');
  });

  it('to skip continues after the skipped step', async () => {
    const id = await start();
    const workflow = toy(stepLog, { second: async () => nap('1h', 'the provider does not answer') });
    await bench.runner([workflow]).run(id);

    await ask((requests) => requests.skip(id));
    await bench.runner([workflow]).run(id);

    expect(stepLog).toEqual(['creating', 'second', 'third']);
    expect(await history(id)).toEqual(['creating succeeded', 'second skipped', 'third succeeded']);
    expect(await row(id)).toMatchObject({ status: 'succeeded', skip_step: null });
  });

  it('to skip has no effect on a later step when the step has already ended', async () => {
    const id = await start();
    const workflow = toy(stepLog, {
      creating: async () => {
        await ask((requests) => requests.skip(id));
        return hop('second');
      },
    });

    await bench.runner([workflow]).run(id);

    expect(await history(id)).toEqual(['creating succeeded', 'second succeeded', 'third succeeded']);
  });

  it('to cancel undoes the finished steps and ends as cancelled, with the reason', async () => {
    const id = await start();
    const workflow = toy(stepLog, { second: async () => nap('1h', 'waiting') });
    await bench.runner([workflow]).run(id);

    await ask((requests) => requests.cancel(id, 'the customer called'));
    await bench.runner([workflow]).run(id);

    expect(stepLog).toEqual(['creating', 'second', 'undo_second']);
    expect(await row(id)).toMatchObject({ status: 'cancelled', reason: 'the customer called' });
    expect(await history(id)).toEqual(['creating succeeded', 'second cancelled', 'undo_second undone']);
  });

  it('is refused for an operation that has ended, does not exist, or cannot be cancelled', async () => {
    const ended = await start();
    await bench.runner([toy(stepLog)]).run(ended);
    const deletion = await bench.start({ type: 'delete_deployment', deploymentId: 77 });

    await expect(ask((requests) => requests.retry(ended))).rejects.toThrow('has ended: succeeded');
    await expect(ask((requests) => requests.skip(987_654))).rejects.toThrow('There is no operation 987654');
    await expect(ask((requests) => requests.cancel(deletion, 'no'))).rejects.toThrow('cannot be cancelled');
    expect((await row(deletion))['cancel_reason']).toBeNull();
  });
});

describe('The events of an operation', () => {
  let bench: WorkflowBench;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  it('report each move once, numbered in order, and a wait only when its reason changes', async () => {
    const id = await bench.start({ type: 'provision_deployment' });
    let looks = 0;
    const workflow = toy([], {
      creating: async () => {
        looks += 1;
        if (looks === 1) throw new TypeError('the provider is away');
        return looks < 5 ? nap('1s', 'the subnet is being made') : hop('second');
      },
    });

    await bench.drive(id, () => bench.runner([workflow]));

    const events = await bench.rows<{ seq: number; event: string; step: string; detail: string | null }>(
      'select seq::int, event, step, detail from operation_events where operation_id = $1 order by seq',
      [id],
    );
    expect(events.map(({ event, step, detail }) => [event, step, detail])).toEqual([
      ['step', 'creating', null],
      ['retry', 'creating', 'the provider is away'],
      ['waiting', 'creating', 'the subnet is being made'],
      ['step', 'second', null],
      ['step', 'third', null],
      ['ended', 'third', null],
    ]);
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
  });
});
