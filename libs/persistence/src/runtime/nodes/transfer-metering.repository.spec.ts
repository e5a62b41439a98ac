import { Database } from '@libs/persistence';
import { eventually, given, WorkflowBench } from '@libs/testing';
import fc from 'fast-check';
import { Billing1763683200032 } from '../../migrations/1763683200032-billing.js';
import { TelemetryCleanupRepository } from './telemetry-cleanup.repository.js';
import { TransferMeteringRepository, type TransferPrices } from './transfer-metering.repository.js';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const PRICES: TransferPrices = { version: 'v1', usdPerGb: { same_region: '0.01', cross_cloud: '0.09' } };

/** A counter of a node at a minute. Null: the report does not contain the counter. */
interface Sample {
  node: number;
  minute: Date;
  bytes: number | null;
}

/** The rule C-25.8, implemented sample by sample. */
class BruteForce {
  readonly byHour = new Map<number, number>();
  private readonly marks = new Map<number, { minute: number; bytes: number }>();

  read(samples: readonly Sample[]): void {
    for (const { node, minute, bytes } of [...samples].sort((a, b) => a.minute.getTime() - b.minute.getTime())) {
      const mark = this.marks.get(node);
      if (bytes === null || (mark && minute.getTime() <= mark.minute)) continue;
      const before = mark?.bytes ?? 0;
      const hour = Math.floor(minute.getTime() / HOUR_MS) * HOUR_MS;
      const carried = bytes < before ? bytes : bytes - before;
      if (carried > 0) this.byHour.set(hour, (this.byHour.get(hour) ?? 0) + carried);
      this.marks.set(node, { minute: minute.getTime(), bytes });
    }
  }
}

describe('TransferMeteringRepository', () => {
  let bench: WorkflowBench;
  let tenant: Awaited<ReturnType<typeof given.tenant>>;
  let number = 0;
  /** An hour that ended long ago, and a new node. */
  let hour: Date;
  let deployment = 0;
  let node = 0;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
    tenant = await given.tenant({ rows: (text: string, values?: unknown[]) => bench.rows<any>(text, values) } as never);
    // No month of this test is closed, on any day.
    await bench.rows(`update billing_months set month = month - interval '2 months'`);
    for (let days = 2; days <= 5; days += 1) await makeDay(days);
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    // Deletes samples of other tests, which could fall before the hours of this test.
    await bench.rows('delete from node_metrics');
    hour = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 6 * HOUR_MS);
    await bench.rows('update telemetry_rollup set rolled_up_to = $1', [hour]);
    deployment = await aDeployment();
    node = aNode();
  });

  it('meters the growth of the counters of all nodes within the hour, in both directions', async () => {
    const other = aNode();
    await report(at(node, 0, 100), at(node, 30, 250), at(node, 59, 1000), at(other, 7, 40), at(other, 8, 50));
    await report(at(node, 61, 1500));
    await rollUpAll();

    expect(await metered()).toEqual([
      [0, 1050],
      [1, 500],
    ]);
    const [row] = await bench.rows(
      'select tenant_id, usd_per_gb::text, pricing_version from metering_transfers where deployment_id = $1',
      [deployment],
    );
    expect(row).toEqual({ tenant_id: tenant.tenantId, usd_per_gb: '0.010000', pricing_version: 'v1' });
  });

  it('counts from zero after a restart of the runtime, within an hour and between two hours', async () => {
    await report(at(node, 10, 1000), at(node, 11, 30), at(node, 12, 70), at(node, 60, 60), at(node, 70, 60));
    await rollUpAll();

    expect(await metered()).toEqual([
      [0, 1070],
      [1, 60],
    ]);
  });

  it('meters the transfer of days without reports in the first hour after them', async () => {
    await bench.rows('update telemetry_rollup set rolled_up_to = $1', [new Date(hour.getTime() - 72 * HOUR_MS)]);
    await report(at(node, -72 * 60, 1000), at(node, 5, 5000));
    await rollUpAll();

    expect(await metered()).toEqual([
      [-72, 1000],
      [0, 4000],
    ]);
  });

  it('counts the whole first value of a new node, with and without older nodes', async () => {
    await report(at(node, 0, 700));
    await rollUpAll();
    const young = aNode();
    await again(1);
    await report(at(node, 60, 700), at(young, 61, 300));
    await rollUpAll();

    expect(await metered()).toEqual([
      [0, 700],
      [1, 300],
    ]);
  });

  it('counts a late sample with the next sample, and never twice', async () => {
    await report(at(node, 30, 1000));
    await rollUpAll();
    await report(at(node, 20, 900), at(node, 40, 1200), at(node, 65, 1500));
    await again(0);
    await rollUpAll();
    await again(0);
    await report(at(node, 10, 800));
    await rollUpAll();

    expect((await metered()).reduce((sum, [, bytes]) => sum + bytes, 0)).toBe(1500);
  });

  it('meters once when many processes run concurrently', async () => {
    const nodes = Array.from({ length: 50 }, aNode);
    await report(...nodes.flatMap((id) => [0, 30, 60, 90, 120, 150].map((minute) => at(id, minute, 10 + minute))));
    const processes = Array.from({ length: 4 }, () => new Database(bench.database.dataSource));
    const meterRest = async (database: Database) => {
      for (let time = 0; time < 5; time += 1) await meterDeleted(deployment, database);
    };

    await Promise.all([...processes.map((process) => rollUpAll(PRICES, process)), meterRest(bench.database)]);

    expect((await metered()).reduce((sum, [, bytes]) => sum + bytes, 0)).toBe(50 * 160);
  });

  it('makes a deletion wait for a running roll-up, and then read its result', async () => {
    await report(at(node, 0, 100), at(node, 30, 300));
    const [first, second, third] = [1, 2, 3].map(() => new Database(bench.database.dataSource)) as [
      Database,
      Database,
      Database,
    ];
    let deleting: Promise<void> = Promise.resolve();
    await first.transaction(async () => {
      await new TelemetryCleanupRepository(first).claimHour();
      await new TransferMeteringRepository(first).meterHour(hour, PRICES);
      // Uses another connection, because it must wait for the end of the open transaction.
      deleting = meterDeleted(deployment, second);
      await eventually('it waits', async () => (await waiting()) === 1);
      expect(await rollUp(PRICES, third)).toBe(false);
    });
    await deleting;

    expect(await metered()).toEqual([[0, 300]]);
  });

  it('does not meter an hour again when the hour is rolled up again', async () => {
    await report(at(node, 0, 100), at(node, 59, 300));
    await rollUpAll();
    await again(0);
    await rollUpAll();

    expect(await metered()).toEqual([[0, 300]]);
  });

  it('meters a Free deployment at a price of zero', async () => {
    deployment = await aDeployment({ managedTier: null });
    await report(at(node, 0, 5_000_000_000));
    await rollUpAll();

    expect(await metered()).toEqual([[0, 5_000_000_000]]);
    expect(await prices()).toEqual(['0.000000 v1']);
  });

  it('uses the current price of the network scope, and keeps the price of earlier rows', async () => {
    deployment = await aDeployment({ scope: 'cross_cloud' });
    await report(at(node, 0, 100), at(node, 60, 200));
    await rollUp();
    await rollUpAll({ version: 'v2', usdPerGb: { same_region: '0.02', cross_cloud: '0.12' } });

    expect(await prices()).toEqual(['0.090000 v1', '0.120000 v2']);
  });

  it('counts only brokers, and only reported values', async () => {
    await report(at(node, 0, 100), at(node, 1, null), at(node, 2, 150), at(node, 3, null));
    await bench.rows(
      `insert into node_metrics (deployment_id, node_id, runtime, minute, bytes_in, bytes_out)
       values ($1, $2, 'connectors', $3, 7, 7), ($1, $4, 'broker', $3, 7, null), ($1, $5, 'broker', $3, -9, 2)`,
      [deployment, node, hour, aNode(), aNode()],
    );
    await rollUpAll();

    expect(await metered()).toEqual([[0, 150]]);
  });

  it('inserts no row without transfer', async () => {
    await report(at(node, 0, 0), at(node, 1, 0), at(node, 60, 0));
    await rollUpAll();

    expect(await metered()).toEqual([]);
  });

  it('assigns transfer of a closed month to the first open month', async () => {
    await report(at(node, 0, 100));
    await bench.rows(`insert into billing_months (month) values (date_trunc('month', now() at time zone 'utc'))`);
    await rollUpAll();
    const [row] = await bench.rows<{ isNext: boolean }>(
      `select effective_at = (date_trunc('month', now() at time zone 'utc') + interval '1 month') at time zone 'utc' as "isNext"
         from metering_transfers where deployment_id = $1`,
      [deployment],
    );
    await bench.rows(`delete from billing_months where month = date_trunc('month', now() at time zone 'utc')`);

    expect(row?.isNext).toBe(true);
  });

  describe('of a deleted deployment', () => {
    it('meters up to the last sample before the telemetry is deleted, and nothing after that', async () => {
      const recent = 5 * 60 + 10;
      await report(at(node, 0, 100), at(node, 50, 300));
      await rollUp();
      await report(at(node, recent, 1000), at(node, 6 * 60, 1500));
      await meterDeleted();
      await meterDeleted();
      await rollUpAll();

      expect(await metered()).toEqual([
        [0, 300],
        [5, 700],
        [6, 500],
      ]);
    });

    it('deletes the marks, and does not count late samples from zero', async () => {
      const living = await aDeployment();
      await report(at(node, 0, 100));
      await reportOf(living, [at(aNode(), 0, 100)]);
      await rollUp();
      await meterDeleted();
      await bench.rows('update deployment_runtimes set deleted_at = now() where deployment_id = $1', [deployment]);
      await new TransferMeteringRepository(bench.database).forget(deployment);
      await new TelemetryCleanupRepository(bench.database).markPurged(deployment);
      await report(at(node, 60, 200));
      await rollUpAll();
      await meterDeleted();

      expect(await metered()).toEqual([[0, 100]]);
      const marks = await bench.rows<{ id: number }>(
        'select deployment_id as id from transfer_marks where deployment_id = any($1)',
        [[deployment, living]],
      );
      expect(marks.map(({ id }) => Number(id))).toEqual([living]);
    });
  });

  it('computes the same sum as the reference implementation for any reports, restarts, late samples and deletions', async () => {
    const sample = fc.record({
      node: fc.integer({ min: 0, max: 2 }),
      minute: fc.integer({ min: 0, max: 4 * 60 - 1 }),
      grows: fc.oneof(fc.integer({ min: 0, max: 2_000_000_000 }), fc.constantFrom(0, 1)),
      kind: fc.constantFrom('grown', 'grown', 'grown', 'started', 'silent'),
      isLate: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
    });
    const unique = { maxLength: 60, selector: (one: { node: number; minute: number }) => `${one.node} ${one.minute}` };
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(sample, unique), fc.boolean(), async (samples, isDeleted) => {
        await again(0);
        deployment = await aDeployment();
        const nodes = [aNode(), aNode(), aNode()];
        const counters = new Map<number, number>();
        const reported = [...samples]
          .sort((a, b) => a.minute - b.minute)
          .map(({ node: index, minute, grows, kind, isLate }) => {
            const value = (kind === 'started' ? 0 : (counters.get(index) ?? 0)) + grows;
            counters.set(index, value);
            return { ...at(nodes[index] ?? 0, minute, kind === 'silent' ? null : value), ofHour: minute / 60, isLate };
          });
        const expected = new BruteForce();
        const ofHour = (index: number, isLate: boolean) =>
          reported.filter((one) => Math.floor(one.ofHour) === index && one.isLate === isLate);
        for (let index = 0; index < 4; index += 1) {
          await report(...ofHour(index, false));
          if (isDeleted && index === 3) continue;
          await rollUp();
          expected.read(ofHour(index, false));
          await report(...ofHour(index, true));
        }
        if (isDeleted) {
          await meterDeleted();
          expected.read(reported.filter((one) => one.ofHour < 3 || !one.isLate));
        }
        await rollUpAll();

        const sums = new Map<number, number>();
        for (const [index, bytes] of await metered()) sums.set(index, (sums.get(index) ?? 0) + bytes);
        const walked = [...expected.byHour].map(([when, bytes]) => [(when - hour.getTime()) / HOUR_MS, bytes]);
        expect([...sums].sort()).toEqual(walked.sort());
      }),
      { numRuns: 60 },
    );
  });

  it('does not charge transfer from before the migration: counters continue from their current values', async () => {
    const migration = new Billing1763683200032();
    const runner = bench.database.dataSource.createQueryRunner();
    await migration.down(runner);
    const [silent, unheard] = [await aNodeRow(), await aNodeRow()];
    node = await aNodeRow();
    await report(at(node, 0, 100), at(node, 30, 9000), at(silent, 30, 800), at(silent, 31, null));
    await bench.rows(
      `insert into node_metric_rollups (deployment_id, node_id, runtime, minute, bytes_in, bytes_out)
       values ($1, $2, 'broker', $3, 600, 0)`,
      [deployment, unheard, at(unheard, -600, 0).minute],
    );
    await migration.up(runner);
    await runner.release();
    await bench.rows(`update billing_months set month = month - interval '2 months'`);

    await report(at(node, 60, 9500), at(silent, 60, 850), at(unheard, 60, 607), at(aNode(), 60, 1));
    await rollUpAll();

    expect(await metered()).toEqual([[1, 500 + 50 + 7 + 1]]);
  });

  const at = (id: number, minute: number, bytes: number | null): Sample => ({
    node: id,
    minute: new Date(hour.getTime() + minute * MINUTE_MS),
    bytes,
  });
  const report = (...samples: Sample[]) => reportOf(deployment, samples);
  const reportOf = (id: number, samples: Sample[]) =>
    bench.rows(
      `insert into node_metrics (deployment_id, node_id, runtime, minute, bytes_in, bytes_out)
       select $1, node, 'broker', minute, div(bytes, 3), bytes - div(bytes, 3)
         from jsonb_to_recordset($2::jsonb) as reported(node bigint, minute timestamptz, bytes numeric)`,
      [id, JSON.stringify(samples)],
    );
  /** Rolls up again, starting at this hour. */
  const again = (index: number) =>
    bench.rows('update telemetry_rollup set rolled_up_to = $1', [new Date(hour.getTime() + index * HOUR_MS)]);
  const rollUp = (used = PRICES, database = bench.database): Promise<boolean> =>
    database.transaction(async () => {
      const keeping = new TelemetryCleanupRepository(database);
      const claimed = await keeping.claimHour();
      if (!claimed) return false;
      await new TransferMeteringRepository(database).meterHour(claimed, used);
      await keeping.rollUp(claimed);
      return true;
    });
  /** Rolls up all finished hours, also when another process currently has the lock of one. */
  const rollUpAll = async (used = PRICES, database = bench.database): Promise<void> => {
    const isOver = `select rolled_up_to >= date_trunc('hour', now()) - interval '1 hour' as done from telemetry_rollup`;
    while (!(await bench.rows<{ done: boolean }>(isOver))[0]?.done) await rollUp(used, database);
  };
  const meterDeleted = (id = deployment, database = bench.database): Promise<void> =>
    database.transaction(async () => {
      await new TelemetryCleanupRepository(database).lock();
      await new TransferMeteringRepository(database).meterDeployment(id, PRICES);
    });
  const waiting = async (): Promise<number> => {
    const [row] = await bench.rows<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return row?.count ?? 0;
  };
  /** Pairs of hour (relative to the hour of the test) and bytes. */
  const metered = async (): Promise<[number, number][]> => {
    const rows = await bench.rows<{ at: Date; bytes: number }>(
      'select effective_at as at, bytes from metering_transfers where deployment_id = $1 order by effective_at, id',
      [deployment],
    );
    return rows.map((row) => [(row.at.getTime() - hour.getTime()) / HOUR_MS, row.bytes]);
  };
  const prices = async (): Promise<string[]> => {
    const rows = await bench.rows<{ price: string }>(
      `select usd_per_gb || ' ' || pricing_version as price from metering_transfers where deployment_id = $1 order by id`,
      [deployment],
    );
    return rows.map(({ price }) => price);
  };

  function aNode(): number {
    return (number += 1);
  }

  async function aNodeRow(): Promise<number> {
    const id = 1_000_000 + aNode();
    await bench.rows(
      `insert into nodes (id, deployment_id, ordinal, name, role, broker_driver, broker_version, image_id, storage_type, storage_size)
       overriding system value values ($1, $2, $3, 'node', 'leader', 'embedded', '1', 'i', 'network_balanced', 100)`,
      [id, deployment, number],
    );
    return id;
  }

  async function aDeployment(terms: { managedTier?: string | null; scope?: string } = {}): Promise<number> {
    const { managedTier = 'standard', scope = 'same_region' } = terms;
    const [row] = await bench.rows<{ id: number }>(
      `insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier, cluster,
         managed_tier, storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count,
         telemetry_days, monthly_compute, monthly_storage, pricing_version)
       values ($1, $2, $3, $4, $4, 'managed', 'aws', 'us', 'r', 'local', 'small', 'standalone', $5, 'network_balanced', 100, 1,
         $6, 'single_az', 1, 14, 0, 0, '1') returning id`,
      [tenant.tenantId, tenant.divisionId, tenant.environmentId, `d${(number += 1)}`, managedTier, scope],
    );
    await bench.rows(
      `insert into deployment_runtimes (deployment_id, cell, status, peer_secret) values ($1, 'local', 'initialized', '')`,
      [row?.id],
    );
    return Number(row?.id);
  }

  async function makeDay(daysAgo: number): Promise<void> {
    for (const parent of ['node_metrics', 'node_metric_rollups'])
      await bench.rows(`
        do $$ declare day date := (now() at time zone 'utc')::date - ${daysAgo};
        begin
          execute format('create table %I partition of ${parent} for values from (%L) to (%L)',
            '${parent}' || to_char(day, '_YYYY_MM_DD'), day::timestamp at time zone 'utc', (day + 1)::timestamp at time zone 'utc');
        end $$`);
  }
});
