import { WorkflowBench } from '@libs/testing';
import { IdempotencyRepository } from './idempotency.repository.js';

const hash = Buffer.alloc(32, 1);

describe('IdempotencyRepository', () => {
  let bench: WorkflowBench;
  let records: IdempotencyRepository;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
    records = new IdempotencyRepository(bench.database, bench.secrets);
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.rows('delete from idempotency_records'));

  it('locks a key of a caller for one transaction at a time', async () => {
    const { database } = bench;
    await database.transaction(async () => {
      expect(await records.lock('key:1', 'a')).toBe(true);
      const others = await outside(bench, [
        ['key:1', 'a'],
        ['key:2', 'a'],
        ['key:1', 'b'],
      ]);
      expect(others).toEqual([false, true, true]);
    });

    expect(await outside(bench, [['key:1', 'a']])).toEqual([true]);
  });

  it('opens an answer only for its caller and key', async () => {
    await records.store('key:1', 'a', hash, 'the answer');
    await bench.rows(`update idempotency_records set key = 'b'`);

    await expect(records.find('key:1', 'b')).rejects.toThrow();
    expect(await records.find('key:1', 'a')).toBeNull();
  });

  it('replaces an answer, and deletes it after ten minutes', async () => {
    await records.store('key:1', 'old', hash, 'first');
    await records.store('key:1', 'old', hash, 'second');
    await records.store('key:1', 'new', hash, 'kept');
    await bench.rows(`update idempotency_records set created_at = now() - interval '11 minutes' where key = 'old'`);

    expect((await records.find('key:1', 'new'))?.answer).toBe('kept');
    expect(await records.find('key:1', 'old')).toBeNull();
    expect(await records.forget()).toBe(1);
    expect(await records.forget()).toBe(0);
    expect(await bench.rows('select key from idempotency_records')).toEqual([{ key: 'new' }]);
  });
});

/** Whether a transaction on another connection gets each lock. */
async function outside(bench: WorkflowBench, keys: [string, string][]): Promise<boolean[]> {
  const granted: boolean[] = [];
  for (const [caller, key] of keys) {
    const text = `select pg_try_advisory_xact_lock(hashtext('landlord.idempotency'), hashtext($1 || ':' || $2)) as granted`;
    const [row] = await bench.rows<{ granted: boolean }>(text, [caller, key]);
    granted.push(row?.granted ?? false);
  }
  return granted;
}
