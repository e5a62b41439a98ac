import { Database } from '@libs/persistence';
import { WorkflowBench } from '@libs/testing';
import type { OperationRow } from './operation-row.js';
import { OperationStore, type HopMove } from './operation-store.js';

const HOP: HopMove = {
  ...{ to: 'second', memo: { stale: true }, undo: [], undoing: false, as: 'succeeded' },
  ...{ error: null, reason: null, deadlineSeconds: null },
};

/** A worker that lost its lease writes nothing, although the operation still runs: another worker has the lease. */
describe('A stale lease token', () => {
  let bench: WorkflowBench;
  let store: OperationStore;
  let id: number;
  let stale: OperationRow;
  let rival: OperationRow;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
    store = new OperationStore(new Database(bench.database.dataSource));
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    id = await bench.start({ type: 'provision_deployment' });
    stale = (await store.take(id)) as OperationRow;
    await bench.rows("update operations set lease_until = now() - interval '1 second' where id = $1", [id]);
    rival = (await store.take(id)) as OperationRow;
  });
  afterEach(async () => {
    await bench.rows('delete from operation_events');
    await bench.rows('delete from operation_steps');
    await bench.rows('delete from operations');
  });

  const row = async (): Promise<unknown> => (await bench.rows('select * from operations where id = $1', [id]))[0];

  it.each([
    ['a hop', () => store.hop(stale, HOP), null],
    ['a nap', () => store.nap(stale, 60, 'stale'), 'lost'],
    ['another try', () => store.retry(stale, 60, 'stale'), undefined],
    ['an end', () => store.end(stale, 'succeeded', null), false],
    ['a release', () => store.release(stale), undefined],
    ['a renewal', () => store.renew(stale), false],
  ])('refuses %s', async (_, write, answer) => {
    const before = await row();

    expect(await write()).toEqual(answer);

    expect(await row()).toEqual(before);
    expect(await bench.rows('select 1 from operation_steps where operation_id = $1', [id])).toEqual([]);
  });

  it('does not refuse the worker that has the lease', async () => {
    expect(await store.renew(rival)).toBe(true);
    expect(await store.hop(rival, HOP)).toMatchObject({ step: 'second', memo: { stale: true } });
  });
});
