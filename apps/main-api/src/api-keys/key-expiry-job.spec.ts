import { Ledger } from '@libs/ledger';
import { SilentJobTimer } from '@libs/queue';
import { eventually, given, WorkflowBench } from '@libs/testing';
import { JobScheduler } from '@libs/workflow';
import { LedgerRepository } from '@libs/persistence/ledger';
import { ExpiringKeysRepository } from '@libs/persistence/organization';
import { KeyExpiryJob } from './key-expiry-job.js';

describe('The watch of expiring keys', () => {
  let bench: WorkflowBench;
  let tenant: Awaited<ReturnType<typeof given.tenant>>;
  const cloud = { rows: (text: string, values?: unknown[]) => bench.rows<any>(text, values) };

  beforeAll(async () => {
    bench = await WorkflowBench.open();
    tenant = await given.tenant(cloud);
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    await bench.rows('delete from api_keys');
    await bench.rows('delete from outbox');
  });

  const key = async (endsIn: string, divisionId?: number): Promise<number> => {
    const keyOptions = { tenantId: tenant.tenantId, ...(divisionId && { divisionId }) };
    await given.key({ ...cloud, installation: {} as never }, keyOptions);
    const [row] = await bench.rows<{ id: string }>('select max(id) as id from api_keys');
    await bench.rows(`update api_keys set name = 'deploys', expiry_at = now() + $2::interval where id = $1`, [
      row?.id,
      endsIn,
    ]);
    return Number(row?.id);
  };
  const run = (): Promise<void> => {
    const scheduler = new JobScheduler(bench.database, new SilentJobTimer(), { queue: 'none' });
    const ledger = new Ledger(bench.database, new LedgerRepository(bench.database), { daysByPlan: {} as never });
    return new KeyExpiryJob(scheduler, new ExpiringKeysRepository(bench.database), ledger).run(
      new AbortController().signal,
    );
  };
  const announced = () =>
    bench.rows<any>(`select event_key, tenant_id, division_id, division_name, subject, data from outbox order by id`);

  it('announces each key that expires within a week once, soonest first, in its division', async () => {
    const scoped = await key('6 days 23 hours', tenant.divisionId);
    const wide = await key('1 minute');
    await key('7 days 1 minute');
    await key('-1 minute');

    await Promise.all([run(), run()]);
    await run();

    const [first, second, ...others] = await announced();
    expect(others).toEqual([]);
    const { expiry_at } = first.data;
    expect(Date.parse(expiry_at)).toBeGreaterThan(Date.now());
    expect(first).toMatchObject({
      event_key: `api_key_expiring:${wide}`,
      division_id: null,
      subject: `API key deploys expires on ${expiry_at}`,
      data: { name: 'deploys', expiry_at, api_key_id: wide },
    });
    expect(second).toMatchObject({ event_key: `api_key_expiring:${scoped}`, division_name: 'Default' });
    expect(Number(second.division_id)).toBe(tenant.divisionId);
  });

  it('announces more keys than one read returns, also with the same expiry', async () => {
    const first = await key('3 days');
    await bench.rows(
      `insert into api_keys (tenant_id, name, secret_hash, role_id, user_id, expiry_at)
       select tenant_id, 'n', secret_hash, role_id, user_id, expiry_at from api_keys, generate_series(1, 1100) where id = $1`,
      [first],
    );

    await run();

    const rows = await bench.rows(
      `select from outbox where event_key in (select 'api_key_expiring:' || id from api_keys)`,
    );
    expect(rows).toHaveLength(1101);
  });

  it('notifies the delivery of new events only', async () => {
    await key('2 days');
    const woken = await bench.listen('landlord_outbox');
    await run();
    await eventually('it is woken', () => woken.payloads.length === 1);

    await run();
    await bench.rows(`select pg_notify('landlord_outbox', 'last')`);
    await eventually('the last one has come', () => woken.payloads.at(-1) === 'last');

    expect(woken.payloads).toHaveLength(2);
    await woken.end();
  });
});
