import { Database } from '@libs/persistence';
import { WorkflowBench } from '@libs/testing';
import { AuditEntriesRepository } from './audit-entries.repository.js';
import { AuditSealsRepository } from './audit-seals.repository.js';

const WRITE = `insert into audit_entries (retention_class, tenant_id, type, division_id) values ($1, $2, $3, $4)`;
const DAY_MS = 86_400_000;

describe('AuditSealsRepository', () => {
  let bench: WorkflowBench;
  let tenant = 0;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    tenant += 1;
    await sealAll();
  });

  const sealOnce = (database = bench.database): Promise<number> =>
    database.transaction(() => new AuditSealsRepository(database).sealSome());
  async function sealAll(database = bench.database): Promise<number> {
    let sealed = 0;
    for (let some = await sealOnce(database); some > 0; some = await sealOnce(database)) sealed += some;
    return sealed;
  }
  const seals = () =>
    bench.rows<{ sequence: number; count: number; retention_class: number; entry_ids: number[] }>(
      'select sequence, count, retention_class, entry_ids from audit_seals where tenant_id = $1 order by sequence',
      [tenant],
    );

  it('seals an entry that has a low id but was committed late', async () => {
    const late = new Database(bench.database.dataSource);
    let id = 0;
    await late.transaction(async () => {
      const [row] = await late.query<{ id: number }>({ name: '', text: `${WRITE} returning id` }, [
        365,
        tenant,
        'x',
        null,
      ]);
      id = row?.id ?? 0;
      await bench.rows(WRITE, [365, tenant, 'x', null]);
      await sealAll();
    });
    await sealAll();

    const [first, second, ...rest] = await seals();
    expect(rest).toEqual([]);
    expect(Number(first?.entry_ids[0])).toBeGreaterThan(id);
    expect(second?.entry_ids.map(Number)).toEqual([id]);
  });

  it('creates batches of at most 1000 entries, each from one partition', async () => {
    await bench.rows(
      `insert into audit_entries (retention_class, tenant_id, type)
       select case when n % 2 = 0 then 7 else 365 end, $1, 'x' from generate_series(1, 2500) n`,
      [tenant],
    );

    expect(await sealAll()).toBe(2500);

    const newSeals = await seals();
    expect(newSeals.map(({ sequence }) => Number(sequence))).toEqual(newSeals.map((_, index) => index + 1));
    expect(Math.max(...newSeals.map(({ count }) => count))).toBeLessThanOrEqual(1000);
    for (const days of [7, 365]) {
      const counts = newSeals.filter(({ retention_class }) => retention_class === days).map(({ count }) => count);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1250);
    }
  });

  it('seals each entry once with concurrent sealers: no gaps in the numbers, counters match', async () => {
    await bench.rows(
      `insert into audit_entries (retention_class, tenant_id, type, division_id)
       select 365, $1 + n % 3 * 1000, 'x', nullif(n % 4, 0) from generate_series(1, 6000) n`,
      [tenant],
    );
    const isEmpty = async (): Promise<boolean> => (await bench.rows('select from audit_unsealed limit 1')).length === 0;
    const sealer = async (): Promise<void> => {
      const database = new Database(bench.database.dataSource);
      while (!(await isEmpty())) await sealOnce(database);
    };

    await Promise.all([sealer(), sealer(), sealer()]);

    const [sealed] = await bench.rows(
      `select count(*)::int as ids, count(distinct id)::int as entries from audit_seals, unnest(entry_ids) id
        where tenant_id % 1000 = $1`,
      [tenant],
    );
    expect(sealed).toEqual({ ids: 6000, entries: 6000 });
    const gaps = await bench.rows(
      'select tenant_id from audit_seals group by 1 having max(sequence) <> count(*) or min(sequence) <> 1',
    );
    expect(gaps).toEqual([]);
    expect(
      await bench.rows(
        `select division_id::int, sum(entries)::int as entries from audit_counters where tenant_id % 1000 = $1 group by 1 order by 1`,
        [tenant],
      ),
    ).toEqual([0, 1, 2, 3].map((division_id) => ({ division_id, entries: division_id === 0 ? 6000 : 1500 })));
  });

  it('queues an entry together with its transaction, and leaves no row after a rollback', async () => {
    await bench.database
      .transaction(async () => {
        await bench.database.query({ name: '', text: WRITE }, [365, tenant, 'x', null]);
        throw new TypeError('undone');
      })
      .catch(() => undefined);

    expect(await sealAll()).toBe(0);
    expect(await seals()).toEqual([]);
  });

  it('keeps totals the same before and after sealing', async () => {
    const entries = new AuditEntriesRepository(bench.database);
    const now = Date.now();
    const filter = { tenantId: tenant, since: new Date(now - 3 * DAY_MS), until: new Date(now + DAY_MS) };
    const totals = async (): Promise<number[]> => [
      await entries.count(filter),
      await entries.count({ ...filter, types: ['x'] }),
      await entries.count({ ...filter, types: ['x', 'y'], division: 5 }),
      await entries.count({ ...filter, division: 5, scope: 6 }),
      await entries.count({ ...filter, since: new Date(now - 2_000) }),
      await entries.count({ ...filter, until: new Date(now) }),
    ];
    await bench.rows(WRITE, [365, tenant, 'x', 5]);
    await bench.rows(WRITE, [7, tenant, 'x', null]);
    await bench.rows(WRITE, [90, tenant, 'y', 5]);

    const before = await totals();
    await sealAll();
    await bench.rows(WRITE, [90, tenant, 'y', 5]);
    const after = await totals();

    expect(before).toEqual([3, 2, 2, 0, 3, 0]);
    expect(after).toEqual([4, 2, 3, 0, 4, 0]);
  });

  it('computes the same hashes for any settings of the session', async () => {
    await bench.rows(
      `insert into audit_entries (retention_class, tenant_id, type, data, correlation_id, created_at)
       values (365, $1, 'x', '{"b": 1.50, "a": [null, "ü"]}', gen_random_uuid(), date_trunc('second', now()) + interval '123456 us')`,
      [tenant],
    );
    await sealAll();
    const odd = new Database(bench.database.dataSource);

    const [seal] = await odd.transaction(async () => {
      for (const setting of [
        `datestyle = 'German'`,
        `timezone = 'Asia/Kathmandu'`,
        `intervalstyle = 'sql_standard'`,
        `bytea_output = 'escape'`,
        'extra_float_digits = -5',
      ])
        await odd.query({ name: '', text: `set local ${setting}` });
      return new AuditSealsRepository(odd).window(tenant, 0);
    });

    expect(seal).toMatchObject({ is_own: true, is_root: true, found: 1, count: 1 });
  });
});
