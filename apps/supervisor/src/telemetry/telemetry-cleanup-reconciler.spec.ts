import { loadCatalog } from '@libs/catalog';
import { Database } from '@libs/persistence';
import { TelemetryCleanupRepository, TransferMeteringRepository } from '@libs/persistence/runtime';
import { given, WorkflowBench } from '@libs/testing';
import type { SupervisorConfig } from '../config.js';
import { TelemetryCleanupReconciler } from './telemetry-cleanup-reconciler.js';

const CATALOG = loadCatalog();

class ReconcilerUnderTest extends TelemetryCleanupReconciler {
  look(): Promise<void> {
    return this.pass(new AbortController().signal);
  }
}

describe('The housekeeper of telemetry', () => {
  let bench: WorkflowBench;
  let tenant: Awaited<ReturnType<typeof given.tenant>>;
  let deployment = 0;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
    tenant = await given.tenant({ rows: (text: string, values?: unknown[]) => bench.rows<any>(text, values) } as never);
    await bench.rows(`update billing_months set month = month - interval '2 months'`);
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    const [row] = await bench.rows<{ id: number }>(
      `insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier, cluster,
         managed_tier, storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count,
         telemetry_days, monthly_compute, monthly_storage, pricing_version)
       select $1, $2, $3, 'd' || count(*), 'c' || count(*), 'managed', 'aws', 'us', 'us-east-1', 'local', 'small', 'cluster',
              'standard', 'network_balanced', 100, 1, 'cross_cloud', 'single_az', 3, 14, 0, 0, '1' from deployments
       returning id`,
      [tenant.tenantId, tenant.divisionId, tenant.environmentId],
    );
    deployment = Number(row?.id);
    await bench.rows(
      `insert into deployment_runtimes (deployment_id, cell, status, peer_secret) values ($1, 'local', 'initialized', '')`,
      [deployment],
    );
  });

  it('meters an hour once at the price of the network scope, together with its roll-up, from several processes', async () => {
    await tell('3 hours', 4_000_000_000);
    await bench.rows(`update telemetry_rollup set rolled_up_to = date_trunc('hour', now()) - interval '5 hours'`);

    await Promise.all([reconciler().look(), reconciler().look(), reconciler().look()]);

    expect(await metered()).toEqual([
      { bytes: 12_000_000_000, usd_per_gb: '0.090000', pricing_version: CATALOG.version },
    ]);
    expect(await count('node_metric_rollups')).toBe(3);
  });

  it('meters the remaining transfer of a deleted deployment first, then deletes all its telemetry', async () => {
    await tell('2 minutes', 1_000_000);
    await bench.rows('update deployment_runtimes set deleted_at = now() where deployment_id = $1', [deployment]);

    await Promise.all([reconciler().look(), reconciler().look()]);
    expect([await count('node_metrics'), await count('transfer_marks')]).toEqual([0, 3]);
    await bench.rows(
      `update deployment_runtimes set deleted_at = now() - interval '2 minutes' where deployment_id = $1`,
      [deployment],
    );
    await Promise.all([reconciler().look(), reconciler().look()]);

    expect((await metered()).map(({ bytes }) => bytes)).toEqual([3_000_000]);
    expect(await count('transfer_marks')).toBe(0);
    const [row] = await bench.rows<{ at: Date | null }>(
      'select telemetry_purged_at as at from deployment_runtimes where deployment_id = $1',
      [deployment],
    );
    expect(row?.at).not.toBeNull();
  });

  it('creates the partitions of the next days, and drops those past their retention', async () => {
    const partitions = async (): Promise<string[]> => {
      const rows = await bench.rows<{ name: string }>(
        `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'node_logs'::regclass`,
      );
      return rows.map(({ name }) => name);
    };
    await bench.rows(`create table node_logs_2020_01_01 partition of node_logs
      for values from ('2020-01-01 00:00Z') to ('2020-01-02 00:00Z')`);
    const [ahead] = await bench.rows<{ name: string }>(
      `select 'node_logs' || to_char((now() at time zone 'utc')::date + 3, '_YYYY_MM_DD') as name`,
    );
    await bench.rows(`drop table ${ahead?.name}`);

    await reconciler().look();

    expect(await partitions()).not.toContain('node_logs_2020_01_01');
    expect(await partitions()).toContain(ahead?.name);
  });

  const reconciler = (): ReconcilerUnderTest => {
    const database = new Database(bench.database.dataSource);
    const rows = [new TelemetryCleanupRepository(database), new TransferMeteringRepository(database)] as const;
    return new ReconcilerUnderTest(database, ...rows, CATALOG, { SUPERVISOR_CELL: 'local' } as SupervisorConfig);
  };
  /** Inserts one row for each of three nodes, `ago` before now. */
  const tell = (ago: string, bytes: number) =>
    bench.rows(
      `insert into node_metrics (deployment_id, node_id, runtime, minute, bytes_in, bytes_out)
       select $1, 10 * $1::bigint + n, 'broker', date_trunc('minute', now()) - $2::interval, $3::float8 - 7, 7
         from generate_series(1, 3) n`,
      [deployment, ago, bytes],
    );
  const metered = () =>
    bench.rows<{ bytes: number; usd_per_gb: string; pricing_version: string }>(
      'select bytes, usd_per_gb, pricing_version from metering_transfers where deployment_id = $1',
      [deployment],
    );
  const count = async (table: string): Promise<number> => {
    const [row] = await bench.rows<{ count: number }>(`select count(*)::int from ${table} where deployment_id = $1`, [
      deployment,
    ]);
    return row?.count ?? -1;
  };
});
