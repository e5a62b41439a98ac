import { Ledger } from '@libs/ledger';
import { SilentJobTimer } from '@libs/queue';
import { given, WorkflowBench } from '@libs/testing';
import { JobScheduler } from '@libs/workflow';
import { LedgerRepository } from '@libs/persistence/ledger';
import { SpendRepository } from '@libs/persistence/billing';
import { SpendLimitJob } from './spend-limit-job.js';

describe('The watch of spend limits', () => {
  let bench: WorkflowBench;
  let tenant: Awaited<ReturnType<typeof given.tenant>>;
  let number = 0;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
    tenant = await given.tenant({ rows: (text: string, values?: unknown[]) => bench.rows<any>(text, values) } as never);
  });
  afterAll(() => bench.close());

  /** Creates a deployment that has cost about 685 USD an hour for 40 days. */
  const deployment = async (limit: string): Promise<number> => {
    const name = `d${(number += 1)}`;
    const [row] = await bench.rows<{ id: string }>(
      `insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier, cluster,
         storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count, telemetry_days,
         monthly_compute, monthly_storage, pricing_version, spend_limit)
       values ($1, $2, $3, $4, 'code-' || $4, 'managed', 'aws', 'us', 'r', 'local', 'small', 'standalone', 'network_drive', 100, 100,
         'regional', 'single_az', 1, 14, 1, 1, '1', $5) returning id`,
      [tenant.tenantId, tenant.divisionId, tenant.environmentId, name, limit],
    );
    await bench.rows(
      `insert into metering_intervals (event_key, tenant_id, deployment_id, effective_at, shape, monthly_compute_usd,
         monthly_storage_usd, pricing_version) values ($1, $2, $3, now() - interval '40 days', '{}', 500000.00, 32.90, '1')`,
      [name, tenant.tenantId, row?.id],
    );
    return Number(row?.id);
  };
  const run = (): Promise<void> => {
    const scheduler = new JobScheduler(bench.database, new SilentJobTimer(), { queue: 'none' });
    const ledger = new Ledger(bench.database, new LedgerRepository(bench.database), { daysByPlan: {} as never });
    return new SpendLimitJob(scheduler, new SpendRepository(bench.database), ledger).run(new AbortController().signal);
  };
  const events = (id: number) => bench.rows<any>('select * from outbox where deployment_id = $1 order by id', [id]);

  it('announces a deployment that reached its limit once a month, and no other deployment', async () => {
    const reached = await deployment('0.01');
    const name = `d${number}`;
    const far = await deployment('900000.00');

    await Promise.all([run(), run()]);
    await run();

    const month = new Date().toISOString().slice(0, 7);
    const [event, ...others] = await events(reached);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      event_key: `billing_limit_reached:${reached}:${month}`,
      type: 'billing_limit_reached',
      division_name: expect.any(String),
      environment_name: expect.any(String),
      deployment_name: name,
      data: { name, code: `code-${name}`, spend_limit: '0.01', spent: expect.stringMatching(/^\d+\.\d\d$/), month },
    });
    expect(Number(event.tenant_id)).toBe(tenant.tenantId);
    expect(await events(far)).toEqual([]);
  });

  it('announces more deployments than one read returns', async () => {
    const ids: number[] = [];
    for (let index = 0; index < 501; index += 1) ids.push(await deployment('0.01'));

    await run();

    const rows = await bench.rows<{ count: string }>(
      `select count(*) from outbox where type = 'billing_limit_reached' and deployment_id = any($1)`,
      [ids],
    );
    expect(Number(rows[0]?.count)).toBe(501);
  });
});
