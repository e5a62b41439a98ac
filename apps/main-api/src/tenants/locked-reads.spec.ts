import { loadCatalog } from '@libs/catalog';
import { pipelined } from '@libs/persistence';
import { EnvironmentsRepository, TenantsRepository } from '@libs/persistence/organization';
import { eventually, given, WorkflowBench } from '@libs/testing';
import pg from 'pg';
import { TenantEntitlements } from './tenant-entitlements.js';

const ORDERS = [
  ['count', 'name', 'plan'],
  ['count', 'plan', 'name'],
  ['name', 'count', 'plan'],
  ['name', 'plan', 'count'],
  ['plan', 'count', 'name'],
  ['plan', 'name', 'count'],
] as const;

describe('Reads behind the lock of a tenant', () => {
  let bench: WorkflowBench;
  let holder: pg.Client;
  const catalog = loadCatalog();
  let tenants: TenantsRepository;
  let entitlements: TenantEntitlements;
  let environments: EnvironmentsRepository;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
    holder = new pg.Client({ connectionString: bench.url });
    await holder.connect();
    tenants = new TenantsRepository(bench.database);
    entitlements = new TenantEntitlements(tenants, catalog);
    environments = new EnvironmentsRepository(bench.database);
  });
  afterEach(() => holder.query('rollback'));
  afterAll(async () => {
    await holder.end();
    await bench.close();
  });

  const isWaiting = async (): Promise<boolean> =>
    (
      await bench.rows(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and pid <> $1`,
        [(holder as unknown as { processID: number }).processID],
      )
    ).length > 0;

  it.each(ORDERS)('see what the last holder has committed, in the order %s, %s, %s', async (...order) => {
    const { tenantId, divisionId } = await given.tenant({ rows: bench.rows.bind(bench) });
    const reads = {
      count: async () => (await environments.counts(tenantId, divisionId)).tenant,
      name: async () => (await environments.findIdByName(tenantId, divisionId, 'new')) !== null,
      plan: async () => (await tenants.plan(tenantId))?.plan,
    };
    await holder.query('begin');
    await holder.query(`update tenants set plan = 'enterprise' where id = $1`, [tenantId]);
    const answers = bench.database.transaction(() =>
      entitlements.locked(tenantId, () => pipelined(order.map((read) => reads[read]()))),
    );
    await eventually('the reads wait for the lock', isWaiting);
    await holder.query(`update tenants set plan = 'basic' where id = $1`, [tenantId]);
    await holder.query(`insert into environments (tenant_id, division_id, name) values ($1, $2, 'new')`, [
      tenantId,
      divisionId,
    ]);
    await holder.query('commit');

    const [locked, values] = await answers;
    expect(locked.limit('concurrent_deployments_limit')).toBe(
      catalog.plan('basic').limits.concurrent_deployments_limit,
    );
    expect(Object.fromEntries(order.map((read, at) => [read, values[at]]))).toEqual({
      count: 2,
      name: true,
      plan: 'basic',
    });
  });
});
