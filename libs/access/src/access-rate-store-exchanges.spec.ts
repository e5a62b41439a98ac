import { setTimeout as delay } from 'node:timers/promises';
import { RateCountsRepository, type RateTotal, type RateWindow } from '@libs/persistence/platform';
import { eventually, WorkflowBench } from '@libs/testing';
import { AccessRateStore } from './access-rate-store.js';

const LONG = { seconds: 3600, slotSeconds: 300 };

/** The real counts, with a record of each exchange. */
class RecordedCounts extends RateCountsRepository {
  readonly sent: Record<string, number>[] = [];
  held: Promise<void> = Promise.resolve();
  fails = false;

  override async exchange(counts: ReadonlyMap<string, number>, window: RateWindow): Promise<RateTotal[]> {
    this.sent.push(Object.fromEntries(counts));
    await this.held;
    if (this.fails) throw new TypeError('no database');
    return super.exchange(counts, window);
  }
}

describe('A process with a rate limit', () => {
  let bench: WorkflowBench;
  let counts: RecordedCounts;
  let stores: AccessRateStore[];
  let subject: string;
  let number = 0;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());
  beforeEach(() => {
    counts = new RecordedCounts(bench.database);
    stores = [];
    subject = `key:${(number += 1)}`;
  });
  afterEach(async () => {
    for (const store of stores) await store.onModuleDestroy();
  });

  function aStore(request: number | null, window: RateWindow = LONG, password: number | null = null): AccessRateStore {
    const store = new AccessRateStore(counts, { limits: { request, password }, window });
    stores.push(store);
    return store;
  }
  async function take(store: AccessRateStore, times: number, name = subject) {
    let verdict = null;
    for (let n = 0; n < times; n += 1) verdict = await store.take(name, 'request');
    return verdict;
  }

  it('allows a fortieth of the limit before it exchanges counts', async () => {
    const store = aStore(400);

    expect(await take(store, 10)).toEqual({
      ...{ isAllowed: true, limit: 400, windowSeconds: 3600, remaining: 390, resetSeconds: 3600 },
    });
    expect(counts.sent).toEqual([]);
    await take(store, 10);
    expect(counts.sent).toEqual([{ [subject]: 10 }]);
    await take(store, 1);

    expect(counts.sent).toEqual([{ [subject]: 10 }, { [subject]: 10 }]);
  });

  it('allows one request of a small limit before each exchange', async () => {
    const store = aStore(10);
    await take(store, 3);

    expect(counts.sent).toEqual([{ [subject]: 1 }, { [subject]: 1 }]);
  });

  it('exchanges before it refuses, and then at most once a second', async () => {
    const store = aStore(2);
    await take(store, 2);
    expect(counts.sent).toEqual([{ [subject]: 1 }]);

    expect(await take(store, 1)).toMatchObject({ isAllowed: false, remaining: 0 });
    expect(counts.sent).toEqual([{ [subject]: 1 }, { [subject]: 1 }]);
    await take(store, 5);
    expect(counts.sent).toHaveLength(2);
    await delay(1_050);
    await take(store, 5);

    expect(counts.sent.slice(2)).toEqual([{ [subject]: 0 }]);
  });

  it('sends the counts of other callers together, but not of callers without new requests', async () => {
    const store = aStore(10);
    await take(store, 2, `${subject}a`);
    await take(store, 1, `${subject}b`);
    counts.sent.length = 0;

    await take(store, 2, `${subject}c`);
    expect(counts.sent).toEqual([{ [`${subject}a`]: 1, [`${subject}b`]: 1, [`${subject}c`]: 1 }]);
    await take(store, 1, `${subject}c`);

    expect(counts.sent.slice(1)).toEqual([{ [`${subject}c`]: 1 }]);
  });

  it('counts a request that comes during an exchange once', async () => {
    const store = aStore(10);
    await take(store, 1);
    let release = (): void => undefined;
    counts.held = new Promise((resolve) => (release = resolve));
    const verdicts = [take(store, 1), take(store, 1), take(store, 1, `${subject}b`)];
    await Promise.resolve();
    release();

    await Promise.all(verdicts);

    const total = counts.sent.reduce((sum, exchange) => sum + (exchange[subject] ?? 0), 0);
    expect(await take(store, 1)).toMatchObject({ remaining: 6 });
    expect(total).toBeGreaterThanOrEqual(1);
  });

  it('exchanges once a second while it runs, and forgets callers after the window', async () => {
    const store = aStore(null, { seconds: 1, slotSeconds: 1 }, 400);
    store.onApplicationBootstrap();
    await store.take(subject, 'password');

    await eventually('the count is sent', async () => counts.sent.length === 1);
    expect(counts.sent).toEqual([{ [subject]: 1 }]);
    const tallies = Reflect.get(store, 'tallies') as Map<string, unknown>;
    expect(tallies.size).toBe(1);

    await eventually('the caller is forgotten', async () => tallies.size === 0);
    expect(counts.sent).toHaveLength(1);
  });

  it('sends a count again after a failure, and keeps a caller with unsent counts', async () => {
    const store = aStore(400, { seconds: 1, slotSeconds: 1 });
    counts.fails = true;
    store.onApplicationBootstrap();
    await take(store, 1);
    await eventually('two exchanges failed', async () => counts.sent.length === 2);
    counts.fails = false;

    await eventually('the third exchange', async () => counts.sent.length === 3);

    expect(counts.sent).toEqual([{ [subject]: 1 }, { [subject]: 1 }, { [subject]: 1 }]);
  });

  it('does not exchange without a limit, or after it stopped', async () => {
    const [unlimited, stopped] = [aStore(null), aStore(400)];
    unlimited.onApplicationBootstrap();
    expect(Reflect.get(unlimited, 'timer')).toBeUndefined();
    stopped.onApplicationBootstrap();
    await take(stopped, 1);

    await stopped.onModuleDestroy();
    await delay(1_200);

    expect(counts.sent).toEqual([]);
  });

  it('waits for its last exchange when it stops', async () => {
    const store = aStore(10);
    await take(store, 1);
    counts.held = delay(200);
    const taken = take(store, 1);
    let isDone = false;
    void taken.then(() => (isDone = true));

    await store.onModuleDestroy();
    await delay(20);

    expect(isDone).toBe(true);
  });
});
