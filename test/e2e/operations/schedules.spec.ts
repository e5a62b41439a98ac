import { eventually, TestCloud, type AppProcess } from '@libs/testing';

/** Workers scan for due work only after some seconds without a wake-up. */
const PATIENCE_MS = 40_000;

describe('A scheduled job', () => {
  let cloud: TestCloud;
  let other: AppProcess;

  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    other = await cloud.another('main-api');
    await other.start();
  });
  afterAll(async () => {
    await other.stop();
    await cloud.stop();
  });

  /** Makes all jobs due, and waits until all have run. */
  const periodsPass = async (): Promise<void> => {
    const [{ now }] = (await cloud.rows<{ now: string }>('select now()::text as now')) as [{ now: string }];
    await cloud.rows(`update schedules set due_at = '-infinity'`);
    await eventually(
      'everything has run',
      async () => {
        const rows = await cloud.rows<{ is_done: boolean }>(
          'select started_at > $1 and ended_at is not null and last_error is null as is_done from schedules',
          [now],
        );
        return rows.length === 6 && rows.every((row) => row.is_done);
      },
      PATIENCE_MS,
    );
  };
  const spender = async (): Promise<number> => {
    const { tenant_id, division_id, environment_id } = cloud.installation;
    const [row] = await cloud.rows<{ id: string }>(
      `insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier, cluster,
         storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count, telemetry_days,
         monthly_compute, monthly_storage, pricing_version, spend_limit)
       values ($1, $2, $3, 'orders', 'aaaaaaaa', 'managed', 'aws', 'us', 'us-east-1', 'local', 'small', 'standalone', 'network_drive',
         100, 100, 'regional', 'single_az', 1, 14, 730, 0, '1', 0.01) returning id`,
      [tenant_id, division_id, environment_id],
    );
    await cloud.rows(
      `insert into metering_intervals (event_key, tenant_id, deployment_id, effective_at, shape, monthly_compute_usd,
         monthly_storage_usd, pricing_version) values ('test', $1, $2, now() - interval '1 day', '{}', 730000, 0, '1')`,
      [tenant_id, row?.id],
    );
    return Number(row?.id);
  };
  const events = () =>
    cloud.rows(
      `select event_key as key, subject, data, dispatched_at is not null as is_handed_on from outbox
        where type in ('api_key_expiring', 'billing_limit_reached') order by type`,
    );

  it('reports an expiring key and a spent limit once, although two processes run the jobs repeatedly', async () => {
    const expiry_at = new Date(Date.now() + 3 * 86_400_000).toISOString();
    const asked = { name: 'ending', expiry_at, permissions: { tenant: ['info:read'] } };
    const key = await cloud.main().post(`${cloud.tenant}/api_keys`, asked);
    expect(key.status).toBe(201);
    const deployment = await spender();

    for (let period = 0; period < 2; period += 1) await periodsPass();

    await eventually('both are handed on', async () => (await events()).every((event) => event['is_handed_on']));
    const month = new Date().toISOString().slice(0, 7);
    expect(await events()).toEqual([
      {
        key: `api_key_expiring:${key.body.id}`,
        subject: `API key ending expires on ${expiry_at}`,
        data: { name: 'ending', expiry_at, api_key_id: key.body.id },
        is_handed_on: true,
      },
      {
        key: `billing_limit_reached:${deployment}:${month}`,
        subject: `Deployment orders has reached its spend limit of 0.01 USD for ${month}`,
        data: {
          name: 'orders',
          code: 'aaaaaaaa',
          spend_limit: '0.01',
          spent: expect.stringMatching(/^\d+\.\d\d$/),
          month,
        },
        is_handed_on: true,
      },
    ]);
  });
});
