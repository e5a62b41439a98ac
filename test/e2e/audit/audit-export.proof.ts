import { hashApiKey } from '@libs/domain';
import { eventually, given, TestCloud } from '@libs/testing';

const ENTRIES = 30_000;

/** 300 MB: more than the sockets buffer, and more than the app may keep in memory. */
describe('A long export of the audit', () => {
  let cloud: TestCloud;
  let path = '';

  beforeAll(async () => {
    // With a small heap the garbage collector runs in time, so the memory shows what the app needs.
    cloud = await TestCloud.start({ env: { NODE_OPTIONS: '--max-old-space-size=128' } });
    path = `/audit${cloud.tenant}/export`;
    await cloud.rows(
      `insert into audit_entries (retention_class, tenant_id, type, data)
       select 365, $1, 'division_updated', jsonb_build_object('n', n, 'text', repeat('x', 10000)) from generate_series(1, $2::int) n`,
      [cloud.installation.tenant_id, ENTRIES],
    );
  });
  afterAll(() => cloud.stop());

  const open = (key: string): Promise<Response> =>
    fetch(`${cloud.mainApi.url}${path}`, { headers: { 'ld-api-key': key } });

  it('is complete and ordered, and needs memory only for the part that it sends', async () => {
    const before = await residentMib(cloud);
    const response = await open(cloud.key);
    let peak = 0;
    let last = 0;
    for await (const line of linesOf(response)) {
      const { data } = JSON.parse(line) as { data: { n?: number } };
      if (data.n === undefined) continue;
      if (data.n !== last + 1) throw new TypeError(`${data.n} comes after ${last}`);
      last = data.n;
      if (last % 5_000 === 0) peak = Math.max(peak, await residentMib(cloud));
    }

    expect(last).toBe(ENTRIES);
    expect(peak - before).toBeLessThan(250);
  });

  it('breaks off after its key is deleted, without the end of a complete body', async () => {
    const key = await given.key(cloud);
    const response = await open(key);
    const reader = response.body?.getReader();
    await reader?.read();
    await cloud.rows(
      `with gone as (delete from api_keys where secret_hash = $1 returning id)
       select pg_notify('landlord_access', id::text) from gone`,
      [hashApiKey(key)],
    );

    await expect(drainAll(reader)).rejects.toThrow();
  });

  it('does not delay the stop of the process for a slow reader, and has no proper end then', async () => {
    const response = await open(cloud.key);
    const reader = response.body?.getReader();
    await reader?.read();

    await cloud.mainApi.stop();

    await expect(drainAll(reader)).rejects.toThrow();
  });

  it('is followed by the work of a worker: it seals waiting entries and drops months past their retention', async () => {
    const month = 'audit_entries_7_2020_01';
    await cloud.mainApi.stop();
    await cloud.rows(
      `create table ${month} partition of audit_entries_7 for values from ('2020-01-01') to ('2020-02-01')`,
    );
    await cloud.rows(
      `insert into audit_entries (retention_class, tenant_id, type, created_at)
       values (365, 77, 'division_created', now()), (7, 77, 'division_created', '2020-01-15')`,
    );
    const isThere = async (): Promise<boolean> =>
      (await cloud.rows('select from pg_class where relname = $1', [month])).length > 0;
    const waiting = (): Promise<unknown[]> => cloud.rows('select from audit_unsealed where tenant_id = 77');
    const api = await cloud.another('main-api', { LANDLORD_ROLE: 'api' });
    await api.start();
    await api.stop();
    expect([await isThere(), (await waiting()).length]).toEqual([true, 2]);

    const worker = await cloud.another('main-api', { LANDLORD_ROLE: 'worker' });
    await worker.start();
    await eventually('both are sealed', async () => (await waiting()).length === 0);
    await worker.stop();
    await worker.start();
    await eventually('the month is gone', async () => !(await isThere()));
    await worker.stop();

    expect(await cloud.rows('select count from audit_seals where tenant_id = 77')).toEqual([
      { count: 1 },
      { count: 1 },
    ]);
  });
});

async function residentMib(cloud: TestCloud): Promise<number> {
  const text = await (await fetch(`${cloud.mainApi.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 2 ** 20;
}

type Reader = ReadableStreamDefaultReader<Uint8Array> | undefined;

async function drainAll(reader: Reader): Promise<void> {
  while (!(await reader?.read())?.done);
}

/** Yields the lines of a body as they arrive. */
async function* linesOf(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
