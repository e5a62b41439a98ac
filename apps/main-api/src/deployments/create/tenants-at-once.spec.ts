import { eventually, given } from '@libs/testing';
import pg from 'pg';
import { TestMainApi } from '../../../test/test-main-api.fixture.js';

/** More than the connections of the pool. */
const WRITES = 30;
const NO_LIMITS = JSON.stringify({ limits: { divisions_limit: 1_000, concurrent_deployments_limit: 1_000 } });

describe('Writes of many tenants at once', () => {
  let cloud: TestMainApi;
  let holder: pg.Client;
  beforeAll(async () => {
    cloud = await TestMainApi.open();
    await cloud.rows('update tenants set plan_overrides = $1::jsonb', [NO_LIMITS]);
    holder = new pg.Client(cloud.installation.role_urls.main_api);
    await holder.connect();
  });
  // Also after a failure: a lock that stays would stop the next test.
  afterEach(() => holder.query('rollback'));
  afterAll(async () => {
    await holder.end();
    await cloud.close();
  });

  const waiting = async (): Promise<number> => {
    const [row] = await cloud.rows<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return row?.count ?? 0;
  };

  it('wait for their own tenant only, with at most four connections', async () => {
    const other = await given.tenant(cloud);
    await given.invoiceAgreement(cloud, other.tenantId);
    const key = await given.key(cloud, { tenantId: other.tenantId });
    await holder.query('begin');
    await holder.query('select id from tenants where id = $1 for no key update', [cloud.installation.tenant_id]);
    let answered = 0;
    const writes = Array.from({ length: WRITES }, async (_, n) => {
      const { status } = await cloud.main().post(`${cloud.tenant}/divisions`, { name: `division ${n}` });
      answered += 1;
      return status;
    });
    await eventually('four writes wait for the lock', async () => (await waiting()) >= 4);

    const { tenantId, divisionId, environmentId } = other;
    const created = await cloud
      .main(key)
      .post(`/tenants/${tenantId}/divisions/${divisionId}/environments/${environmentId}/deployments/managed`, {
        ...{ name: 'other', cloud: 'aws', region: 'us-east-1', tier: 'small' },
        ...{ cluster: 'cluster', managed_tier: 'standard' },
      });
    const read = await cloud.main().get(cloud.tenant);

    expect([created.status, read.status, answered, await waiting()]).toEqual([202, 200, 0, 4]);
    await holder.query('commit');
    expect(await Promise.all(writes)).toEqual(Array.from({ length: WRITES }, () => 201));
  });

  it('exceed no limit, although a creation counts in the packet of its lock', async () => {
    await cloud.rows(
      `update tenants set plan_overrides = '{"limits": {"concurrent_deployments_limit": 3}}' where id = $1`,
      [cloud.installation.tenant_id],
    );

    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        cloud.main().post(`${cloud.environment}/deployments/managed`, {
          ...{ name: `deployment-${n}`, cloud: 'aws', region: 'us-east-1', tier: 'small' },
          ...{ cluster: 'cluster', managed_tier: 'standard' },
        }),
      ),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([...[202, 202, 202], ...Array<number>(9).fill(409)]);
    const [row] = await cloud.rows('select count(*)::int as count from deployments where tenant_id = $1', [
      cloud.installation.tenant_id,
    ]);
    expect(row).toEqual({ count: 3 });
  });
});
