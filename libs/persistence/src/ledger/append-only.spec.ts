import { WorkflowBench } from '@libs/testing';

const APPEND_ONLY = { code: '23001', message: expect.stringMatching(/is append-only/) };

/** All statements run as superuser, because an external PostgreSQL may have no separate role for the apps. */
describe('Audit entries and seals', () => {
  let bench: WorkflowBench;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
    await bench.rows(`insert into audit_entries (retention_class, tenant_id, type) values (7, 1, 'x'), (365, 1, 'x')`);
    await bench.rows(
      `insert into audit_seals (tenant_id, sequence, retention_class, month, first_at, last_at, entry_ids, count, root_hash, previous_hash, hash)
       values (1, 1, 7, now(), now(), now(), '{}', 0, '', '', '')`,
    );
  });
  afterAll(() => bench.close());

  const partitions = async (): Promise<string[]> =>
    (
      await bench.rows<{ name: string }>(
        `select relid::regclass::text as name from pg_partition_tree('audit_entries') order by level, 1`,
      )
    ).map(({ name }) => name);

  it('cannot be updated or deleted, through any partition name', async () => {
    const all = [...(await partitions()), 'audit_seals'];

    expect(all.length).toBeGreaterThan(15);
    for (const name of all) {
      if ((await bench.rows(`select from ${name} limit 1`)).length === 0) continue;
      await expect(bench.rows(`update ${name} set tenant_id = 2`)).rejects.toMatchObject(APPEND_ONLY);
      await expect(bench.rows(`delete from ${name}`)).rejects.toMatchObject(APPEND_ONLY);
    }
    expect(await bench.rows('select from audit_entries where tenant_id = 1')).toHaveLength(2);
  });

  it('cannot be truncated, not even in empty partitions', async () => {
    for (const name of [...(await partitions()), 'audit_seals'])
      await expect(bench.rows(`truncate ${name} cascade`)).rejects.toMatchObject(APPEND_ONLY);
  });

  it('are also protected in later partitions, and partitions can be dropped', async () => {
    const month = `to_char(now() at time zone 'utc' + interval '3 months', '_YYYY_MM')`;
    const [later] = await bench.rows<{ name: string }>(`select 'audit_entries_7' || ${month} as name`);
    await bench.rows(`drop table ${later?.name}`);
    await bench.rows('select ensure_partitions()');
    await bench.rows(
      `insert into audit_entries (retention_class, tenant_id, type, created_at) values (7, 3, 'x', now() + interval '80 days')`,
    );

    const partition = (await partitions()).filter((name) => name.startsWith('audit_entries_7_')).at(-1);

    expect(partition).toBe(later?.name);
    await expect(bench.rows(`truncate ${partition}`)).rejects.toMatchObject(APPEND_ONLY);
    await expect(bench.rows(`update audit_entries set type = 'y' where retention_class = 7`)).rejects.toMatchObject(
      APPEND_ONLY,
    );
  });
});

describe('Partitions past their retention', () => {
  let bench: WorkflowBench;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  it('are dropped with their counters when all entries are past their retention and sealed', async () => {
    const months = { over: 9, recent: 1 };
    const name = async (days: number, back: number): Promise<string> => {
      const [row] = await bench.rows<{ name: string; since: string; until: string }>(
        `select 'audit_entries_' || $1::int || to_char(month, '_YYYY_MM') as name, (month at time zone 'utc')::text as since,
                ((month + interval '1 month') at time zone 'utc')::text as until
           from (select date_trunc('month', now() at time zone 'utc') - make_interval(months => $2::int) as month) back`,
        [days, back],
      );
      await bench.rows(
        `create table ${row?.name} partition of audit_entries_${days} for values from ('${row?.since}') to ('${row?.until}')`,
      );
      await bench.rows(
        `insert into audit_counters values (1, 0, ($1::timestamptz + interval '3 days')::date, 'x', $2, 5)`,
        [row?.since, days],
      );
      return row?.name ?? '';
    };
    const over = [await name(7, months.over), await name(90, months.over)];
    const partitionNames = [await name(90, months.recent), await name(365, months.over)];
    await bench.rows(
      `insert into audit_entries (retention_class, tenant_id, type, created_at)
       values (90, 1, 'x', date_trunc('month', now()) - interval '9 months' + interval '4 days')`,
    );

    const first = await drop();
    await bench.rows('delete from audit_unsealed');
    const second = await drop();

    expect(first).toEqual([over[0]]);
    expect(second).toEqual([over[1]]);
    expect(await drop()).toEqual([]);
    expect(await bench.rows('select from pg_class where relname = any($1)', [partitionNames])).toHaveLength(2);
    expect(await bench.rows('select retention_class from audit_counters order by 1')).toEqual([
      { retention_class: 90 },
      { retention_class: 365 },
    ]);
  });

  it('do not block writers: the drop gives up when a long read is running', async () => {
    await bench.rows(
      `create table audit_entries_7_2020_01 partition of audit_entries_7 for values from ('2020-01-01') to ('2020-02-01')`,
    );

    await bench.database.transaction(async () => {
      await bench.database.query({ name: '', text: 'select from audit_entries limit 1' });
      await expect(drop()).rejects.toMatchObject({ code: '55P03' });
    });

    expect(await drop()).toEqual(['audit_entries_7_2020_01']);
  });

  it('are created on the next run, without an error, when a long read blocks their creation', async () => {
    const [ahead] = await bench.rows<{ name: string }>(
      `select 'audit_entries_7' || to_char(now() at time zone 'utc' + interval '2 months', '_YYYY_MM') as name`,
    );
    const isThere = async (): Promise<boolean> =>
      (await bench.rows('select from pg_class where relname = $1', [ahead?.name])).length > 0;
    await bench.rows(`drop table ${ahead?.name}`);

    await bench.database.transaction(async () => {
      await bench.database.query({ name: '', text: 'select from audit_entries limit 1' });
      await bench.rows('select ensure_partitions()');
      expect(await isThere()).toBe(false);
    });
    await bench.rows('select ensure_partitions()');

    expect(await isThere()).toBe(true);
  });

  async function drop(): Promise<string[]> {
    const [row] = await bench.rows<{ dropped: string[] }>('select drop_expired_partitions() as dropped');
    return row?.dropped ?? [];
  }
});
