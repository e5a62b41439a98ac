import { createTestDatabase, type TestDatabase } from '@libs/testing';
import { Database, dataSourceOptions } from '@libs/persistence';
import { RateCountsRepository } from '@libs/persistence/platform';
import { DataSource } from 'typeorm';
import { AccessRateStore } from './access-rate-store.js';

const PROCESSES = 8;
/** Long enough that nothing expires during a test, unless the test is about that. */
const LONG = { seconds: 3600, slotSeconds: 300 };
const SHORT = { seconds: 2, slotSeconds: 1 };

describe('The rate limit', () => {
  let database: TestDatabase;
  const sources: DataSource[] = [];
  const stores: AccessRateStore[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.onModuleDestroy()));
    await Promise.all(sources.splice(0).map((source) => source.destroy()));
  });
  afterAll(() => database.drop());

  it.each([600, 100, 10])('of %i lets eight processes pass the limit, and at most a fifth more', async (limit) => {
    const processes = await Promise.all(Array.from({ length: PROCESSES }, () => aProcess(limit, LONG)));

    const allowed = await ask(processes, `key:burst-${limit}`, limit);

    expect(allowed).toBeGreaterThanOrEqual(limit);
    expect(allowed).toBeLessThanOrEqual(Math.max(limit * 1.2, limit + PROCESSES));
  });

  it('lets one process pass exactly the limit', async () => {
    const one = await aProcess(100, LONG);

    expect(await ask([one], 'key:alone', 300)).toBe(100);
  });

  it('counts each caller separately', async () => {
    const one = await aProcess(5, LONG);
    await ask([one], 'key:a', 10);

    expect(await one.take('key:b', 'request')).toMatchObject({ isAllowed: true, limit: 5, remaining: 4 });
    expect(await one.take('key:a', 'request')).toMatchObject({ isAllowed: false, remaining: 0 });
  });

  it('also applies to a process that starts after the limit was reached', async () => {
    await ask([await aProcess(10, LONG)], 'key:known', 20);
    const late = await aProcess(10, LONG);

    await late.take('key:known', 'request');

    expect(await late.take('key:known', 'request')).toMatchObject({ isAllowed: false });
  });

  it('allows requests again after the window, and reports the time until then', async () => {
    const one = await aProcess(10, SHORT);
    await ask([one], 'key:again', 10);
    const refused = await one.take('key:again', 'request');

    let verdict = refused;
    while (!verdict?.isAllowed) verdict = await one.take('key:again', 'request');

    expect(refused).toMatchObject({ isAllowed: false });
    expect(refused?.resetSeconds).toBeGreaterThan(0);
    expect(refused?.resetSeconds).toBeLessThanOrEqual(SHORT.seconds + SHORT.slotSeconds);
  });

  it('counts all slots of the window, and none before it', async () => {
    await aProcess(1, LONG);
    const counts = new RateCountsRepository(new Database(sources[0] as DataSource));
    const slots = LONG.seconds / LONG.slotSeconds;
    let slot;
    let total;
    // A slot may start between the two reads of the clock. Then the test is repeated with another subject.
    do {
      slot = await currentSlot();
      const subject = `key:slots-${slot}`;
      await sql(
        `insert into rate_counts (subject, slot, count)
         select $1::text, $2::bigint - back, case when back > $3::int then 1000 else 1 end
           from generate_series(1, $3::int + 3) as back`,
        [subject, slot, slots],
      );
      [{ total } = { total: 0 }] = await counts.exchange(new Map([[subject, 5]]), LONG);
    } while ((await currentSlot()) !== slot);

    // One in each earlier slot of the window, and five in the current one.
    expect(total).toBe(slots + 5);
  });

  it('counts requests that hash a password against a separate limit', async () => {
    const one = await aProcess(100, LONG, 2);

    const verdicts = [];
    for (let n = 0; n < 3; n += 1) verdicts.push((await one.take('password:10.0.0.1', 'password'))?.isAllowed);

    expect(verdicts).toEqual([true, true, false]);
    expect(await one.take('address:10.0.0.1', 'request')).toMatchObject({ isAllowed: true, limit: 100 });
  });

  it('can be disabled', async () => {
    const one = await aProcess(null, LONG);

    expect(await one.take('key:free', 'request')).toBeNull();
  });

  const sql = async (text: string, values: unknown[] = []): Promise<any[]> =>
    (sources[0] as DataSource).query(text, values);
  const currentSlot = async (): Promise<number> =>
    Number(
      (await sql(`select floor(extract(epoch from clock_timestamp()) / ${LONG.slotSeconds})::bigint as slot`))[0].slot,
    );

  async function aProcess(
    limit: number | null,
    window: { seconds: number; slotSeconds: number },
    password: number | null = null,
  ) {
    const options = { databaseUrl: database.url, secretKeys: 'k1:', applicationName: 'test', poolSize: 2 };
    const source = await new DataSource(dataSourceOptions(options)).initialize();
    const store = new AccessRateStore(new RateCountsRepository(new Database(source)), {
      limits: { request: limit, password },
      window,
    });
    sources.push(source);
    stores.push(store);
    store.onApplicationBootstrap();
    return store;
  }

  /** Sends `times` requests to each process, with all processes in parallel. Returns the number of allowed requests. */
  async function ask(processes: AccessRateStore[], subject: string, times: number): Promise<number> {
    const each = processes.map(async (store) => {
      let allowed = 0;
      for (let call = 0; call < times; call += 1) if ((await store.take(subject, 'request'))?.isAllowed) allowed += 1;
      return allowed;
    });
    return (await Promise.all(each)).reduce((sum, allowed) => sum + allowed, 0);
  }
});
