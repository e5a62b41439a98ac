import { given, WorkflowBench } from '@libs/testing';
import fc from 'fast-check';
import { SpendRepository, type Spend } from './index.js';

const HOUR_MS = 3600_000;
/** A month has 730 hours. A millisecond costs the monthly price divided by the milliseconds of a month. */
const MONTH_MS = 730n * BigInt(HOUR_MS);
const BEGAN = Date.UTC(2026, 1, 1);
const UNTIL = Date.UTC(2026, 1, 20, 7, 13, 11, 421);

interface Row {
  at: number;
  compute: number;
  storage: number;
  isOver: boolean;
}

/** Compute and storage in cents, each rounded once, half to even. Finds the row in force for each piece of the month. */
function bruteForce(rows: readonly Row[]): string {
  const instants = [...new Set([BEGAN, UNTIL, ...rows.map(({ at }) => at).filter((at) => at > BEGAN && at < UNTIL)])];
  instants.sort((a, b) => a - b);
  const sums = { compute: 0n, storage: 0n };
  for (const [index, from] of instants.slice(0, -1).entries()) {
    const inForce = rows.reduce<Row | null>(
      (last, row) => (row.at <= from && (!last || row.at >= last.at) ? row : last),
      null,
    );
    if (!inForce || inForce.isOver) continue;
    const ms = BigInt((instants[index + 1] ?? from) - from);
    sums.compute += BigInt(inForce.compute) * ms;
    sums.storage += BigInt(inForce.storage) * ms;
  }
  const cents = halfEven(sums.compute) + halfEven(sums.storage);
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
}

function halfEven(sum: bigint): bigint {
  const [whole, twice] = [sum / MONTH_MS, 2n * (sum % MONTH_MS)];
  if (twice === MONTH_MS) return whole + (whole % 2n);
  return twice > MONTH_MS ? whole + 1n : whole;
}

describe('The cost of a deployment', () => {
  let bench: WorkflowBench;
  let spends: SpendRepository;
  let tenant: Awaited<ReturnType<typeof given.tenant>>;
  let number = 0;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
    spends = new SpendRepository(bench.database);
    tenant = await given.tenant({ rows: (text: string, values?: unknown[]) => bench.rows<any>(text, values) } as never);
    await bench.rows(`update billing_months set month = '2025-11-01'`);
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.rows('delete from deployments'));

  const deployment = async (limit: string | null): Promise<number> => {
    const [row] = await bench.rows<{ id: string }>(
      `insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier, cluster,
         storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count, telemetry_days,
         monthly_compute, monthly_storage, pricing_version, spend_limit)
       values ($1, $2, $3, $4, $4, 'managed', 'aws', 'us', 'r', 'local', 'small', 'standalone', 'network_drive', 100, 100,
         'regional', 'single_az', 1, 14, 1, 1, '1', $5) returning id`,
      [tenant.tenantId, tenant.divisionId, tenant.environmentId, `d${(number += 1)}`, limit],
    );
    return Number(row?.id);
  };
  const meter = (id: number, rows: readonly Row[]) =>
    bench.rows(
      `insert into metering_intervals (event_key, tenant_id, deployment_id, effective_at, shape, monthly_compute_usd,
         monthly_storage_usd, pricing_version)
       select $1 || ':' || n, $2, $1::bigint, to_timestamp((e ->> 'at')::numeric / 1000),
              case when (e ->> 'isOver')::boolean then null else '{}'::jsonb end, (e ->> 'compute')::numeric / 100,
              (e ->> 'storage')::numeric / 100, '1'
         from jsonb_array_elements($3::jsonb) with ordinality as rows(e, n) order by n`,
      [id, tenant.tenantId, JSON.stringify(rows)],
    );
  const find = async (id: number, until = UNTIL): Promise<Spend | undefined> =>
    (await spends.watchedUnscoped(id - 1, 1, new Date(until)))[0];

  it('is the exact sum of its intervals in this month, for any metering', async () => {
    const instant = fc.oneof(
      fc.integer({ min: BEGAN - 40 * 24 * HOUR_MS, max: UNTIL + 3 * 24 * HOUR_MS }),
      fc.constantFrom(BEGAN, BEGAN - 1, BEGAN + 1, UNTIL, UNTIL - 1),
    );
    const cents = fc.oneof(fc.integer({ min: 0, max: 100_000_000 }), fc.constantFrom(0, 1));
    const row = fc.record({ at: instant, compute: cents, storage: cents, isOver: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 12 }), async (rows) => {
        const id = await deployment('1000.00');
        await meter(id, rows);

        expect((await find(id))?.spent).toBe(bruteForce(rows));
      }),
      { numRuns: 300 },
    );
  });

  it('is half of the monthly price after 365 hours from the start of the month', async () => {
    const id = await deployment('100.00');
    await meter(id, [{ at: BEGAN - 30 * 24 * HOUR_MS, compute: 15_000, storage: 5_000, isOver: false }]);

    expect(await find(id, BEGAN + 365 * HOUR_MS)).toEqual({
      deployment: { id, name: expect.any(String) },
      code: expect.any(String),
      tenantId: tenant.tenantId,
      division: { id: tenant.divisionId, name: expect.any(String) },
      environment: { id: tenant.environmentId, name: expect.any(String) },
      spendLimit: '100.00',
      spent: '100.00',
      month: '2026-02',
      isReached: true,
    });
    expect(await find(id, BEGAN + 364 * HOUR_MS)).toMatchObject({ spent: '99.72', isReached: false });
  });

  it.each([
    [1, '0.00'],
    [3, '0.02'],
    [5, '0.02'],
  ])('rounds half of %i cents to the even cent', async (compute, spent) => {
    const id = await deployment('1000.00');
    await meter(id, [{ at: BEGAN - HOUR_MS, compute, storage: 0, isOver: false }]);

    expect(await find(id, BEGAN + 365 * HOUR_MS)).toMatchObject({ spent });
  });

  it('includes transfer at the price of its hour', async () => {
    const id = await deployment('0.05');
    await bench.rows(
      `insert into metering_transfers (tenant_id, deployment_id, effective_at, bytes, usd_per_gb, pricing_version)
       select $1, $2, to_timestamp($3::numeric / 1000) + make_interval(hours => n), 1500000000, n * 0.01, '1'
         from generate_series(-1, 2) n`,
      [tenant.tenantId, id, BEGAN],
    );

    expect(await find(id)).toMatchObject({ spent: '0.04', isReached: false });
  });

  it('does not reach a limit while it is zero', async () => {
    expect(await find(await deployment('0'))).toMatchObject({ spent: '0.00', isReached: false });
  });

  it('is computed page by page for existing deployments with a limit', async () => {
    const [one, , deleted, two] = [
      await deployment('1'),
      await deployment(null),
      await deployment('1'),
      await deployment('1'),
    ];
    await bench.rows('update deployments set deletion_requested_at = now() where id = $1', [deleted]);

    const first = await spends.watchedUnscoped(0, 1);
    const second = await spends.watchedUnscoped(one, 1);

    expect([...first, ...second].map((spend) => spend.deployment.id)).toEqual([one, two]);
    expect(await spends.watchedUnscoped(two, 1)).toEqual([]);
  });
});
