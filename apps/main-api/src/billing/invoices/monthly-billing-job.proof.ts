import { Logger } from '@nestjs/common';
import { SilentJobTimer } from '@libs/queue';
import {
  InvoicesRepository,
  ReportsRepository,
  UsageRepository,
  BillingMonthsRepository,
} from '@libs/persistence/billing';
import { MailsRepository } from '@libs/persistence/organization';
import { JobScheduler } from '@libs/workflow';
import fc from 'fast-check';
import {
  BillingBench,
  type Metered,
  type Priced,
  type TestTenant,
  type Transferred,
} from '../../../test/billing.fixture.js';
import { expectedCharges, usd, type Expected } from '../../../test/charges.oracle.fixture.js';
import { Mailbox } from '../../mail/index.js';
import { InvoiceMails } from './invoice-mails.js';
import { MonthlyBillingJob } from './monthly-billing-job.js';

const NOW = new Date();
const HOUR_MS = 3600_000;
const monthAt = (ahead: number): number => Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth() + ahead);
/** Four past months, and the past part of this one. */
const MONTHS = [-4, -3, -2, -1].map(monthAt);
const SPAN_MS = NOW.getTime() - monthAt(-4);
const ALL = { page: 1, results: 100 };

const cents = fc.oneof(fc.integer({ min: 0, max: 5_000_000 }), fc.constantFrom(0, 1, 73_000));
const shape: fc.Arbitrary<Priced> = fc.record({
  nodes: fc.constantFrom(1, 3, 5),
  storageGb: fc.integer({ min: 0, max: 30_000 }),
  computeCents: cents,
  storageCents: cents,
});
/** Moments at the edges of months and within months. */
const moment = fc.oneof(
  fc.integer({ min: 0, max: SPAN_MS }),
  fc.constantFrom(...MONTHS.flatMap((at) => [at, at + 1, at + HOUR_MS]).map((at) => at - monthAt(-4))),
);
/**
 * A deployment is created, then upgraded, moved to other terms (the same hardware at another price) or stopped, and may
 * be deleted. A stop charges nothing new.
 */
const lifecycle = fc.record({
  moments: fc.uniqueArray(moment, { minLength: 1, maxLength: 8 }),
  created: shape,
  changes: fc.array(fc.oneof(shape, fc.record({ computeCents: cents }), fc.constant('stop' as const)), {
    minLength: 8,
    maxLength: 8,
  }),
  isDeleted: fc.boolean(),
  transfers: fc.array(
    fc.record({
      offset: moment,
      bytes: fc.integer({ min: 1, max: 2 ** 45 }),
      microUsdPerGb: fc.integer({ min: 0, max: 200_000 }),
    }),
    { maxLength: 6 },
  ),
});
type Lifecycle = typeof lifecycle extends fc.Arbitrary<infer T> ? T : never;

describe('The accounts of a month', () => {
  let bench: BillingBench;

  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(async () => {
    bench = await BillingBench.open();
    await bench.openFrom(new Date(monthAt(-4)));
  });
  afterEach(() => bench.close());

  it('contain the exact charges of every lifecycle, with repeated and unordered events and concurrent runs', async () => {
    await fc.assert(
      fc
        .asyncProperty(
          fc.array(lifecycle, { minLength: 1, maxLength: 12 }),
          fc.infiniteStream(fc.nat()),
          async (lives, chance) => {
            const tenants = [await bench.tenant(), await bench.tenant()] as [TestTenant, TestTenant];
            const metered: Metered[] = [];
            const transfers: Transferred[] = [];
            for (const [index, life] of lives.entries())
              await live(life, tenants[index % 2 ? 1 : 0], metered, transfers);
            await enter(shuffled([...metered, ...metered], chance), transfers);
            const before = await bench.rows('select count(*)::int as count from metering_intervals');

            await Promise.all([bill(), bill()]);
            await bill();

            await enter(shuffled(metered, chance), []);
            expect(await bench.rows('select count(*)::int as count from metering_intervals')).toEqual(before);
            for (const tenant of tenants) await expectBooks(tenant, metered, transfers);
            await expectNumbers();
          },
        )
        .beforeEach(async () => {
          await bench.close();
          bench = await BillingBench.open();
          await bench.openFrom(new Date(monthAt(-4)));
        }),
      { numRuns: 12 },
    );
  });

  it('charge exactly the monthly price for 730 hours in any month', async () => {
    const tenant = await bench.tenant();
    const deploymentId = await bench.deployment(tenant);
    const start = monthAt(-3) - 100 * HOUR_MS;
    const shape = { nodes: 3, storageGb: 333, computeCents: 123_457, storageCents: 7_899 };
    await bench.meter({ deploymentId, tenantId: tenant.tenantId, key: 'a', at: start, shape });
    await bench.meter({ deploymentId, tenantId: tenant.tenantId, key: 'b', at: start + 730 * HOUR_MS, shape: null });

    const scope = { tenantId: tenant.tenantId, divisionScope: null };
    const usage = await new UsageRepository(bench.workflow.database).totals(
      scope,
      new Date(start - 1),
      new Date(start + 731 * HOUR_MS),
    );

    expect(usage).toMatchObject({ computeUsd: '1234.57', storageUsd: '78.99', totalUsd: '1313.56' });
    expect(Number(usage.computeHours)).toBe(3 * 730);
    expect(Number(usage.storageGbHours)).toBe(3 * 333 * 730);
  });

  it('do not change after closing: late usage is charged from the first open moment', async () => {
    const tenant = await bench.tenant();
    const [deploymentId, late] = [await bench.deployment(tenant), await bench.deployment(tenant)];
    const of = { deploymentId, tenantId: tenant.tenantId };
    const shape = { nodes: 1, storageGb: 100, computeCents: 73_000, storageCents: 0 };
    await bench.meter({ ...of, key: 'a', at: monthAt(-2), shape });
    await bill();
    const written = await books();

    await bench.meter({ ...of, deploymentId: late, key: 'late', at: monthAt(-2), shape });
    await bench.transfer({ ...of, deploymentId: late, at: monthAt(-1), bytes: 5, microUsdPerGb: 1 });
    await bill();

    expect(await books()).toEqual(written);
    const moved = await bench.rows('select effective_at from metering_intervals where deployment_id = $1', [late]);
    expect(moved).toEqual([{ effective_at: new Date(monthAt(0)) }]);
    expect(await bench.rows('select effective_at from metering_transfers')).toEqual(moved);
  });

  it('are drafted while they are open, and recomputed when they are closed', async () => {
    const tenant = await bench.tenant();
    const deploymentId = await bench.deployment(tenant);
    const of = { deploymentId, tenantId: tenant.tenantId };
    const shape = { nodes: 1, storageGb: 100, computeCents: 73_000, storageCents: 0 };
    await bench.openFrom(new Date(monthAt(-1)));
    await bench.meter({ ...of, key: 'a', at: monthAt(-1), shape });

    await bill(1000);
    const drafts = await invoices(tenant);
    await bench.transfer({ ...of, at: monthAt(0) - HOUR_MS, bytes: 1e9, microUsdPerGb: 90_000 });
    await bill(1000);
    const later = await invoices(tenant);
    await bill();

    expect(drafts).toMatchObject([{ status: 'draft', number: null, dueAt: null, transferUsd: '0.00' }]);
    expect(later).toMatchObject([{ id: drafts[0]?.id, status: 'draft', transferUsd: '0.09' }]);
    expect(await invoices(tenant)).toMatchObject([
      {
        id: drafts[0]?.id,
        status: 'pending',
        number: expect.stringMatching(/^\d{4}-\d\d-000001$/),
        transferUsd: '0.09',
      },
    ]);
  });

  it('send one mail for each invoice, to the address for invoices or to the owner', async () => {
    const tenants = [await bench.tenant(), await bench.tenant()] as [TestTenant, TestTenant];
    const shape = { nodes: 1, storageGb: 100, computeCents: 73_000, storageCents: 0 };
    for (const tenant of tenants)
      await bench.meter({
        deploymentId: await bench.deployment(tenant),
        tenantId: tenant.tenantId,
        key: `of ${tenant.tenantId}`,
        at: monthAt(-1),
        shape,
      });
    await bench.rows(`insert into billing_infos (tenant_id, email) values ($1, 'bills@ada.example')`, [
      tenants[0].tenantId,
    ]);
    await bill();
    await bill();

    const [first] = await invoices(tenants[0]);
    const repository = new MailsRepository(bench.workflow.database, bench.workflow.secrets);
    const mails = await repository.take(10, 60);
    expect(mails.map(({ to }) => to)).toEqual(['bills@ada.example', expect.stringMatching(/^owner-.*@example.test$/)]);
    expect(mails[0]?.subject).toBe(`Invoice ${first?.number}: ${first?.totalUsd} USD`);
    expect(mails[0] && repository.contentOf(mails[0]).text).toContain(
      `https://cloud.example/api/tenants/${tenants[0].tenantId}/billing/invoices/${first?.id}/pdf`,
    );
  });

  it('contain a report but no invoice for a month without costs', async () => {
    const tenant = await bench.tenant();
    const deploymentId = await bench.deployment(tenant);
    const shape = { nodes: 1, storageGb: 10, computeCents: 0, storageCents: 0 };
    await bench.meter({ deploymentId, tenantId: tenant.tenantId, key: 'a', at: monthAt(-1), shape });

    await bill();

    const reports = new ReportsRepository(bench.workflow.database);
    const { items } = await reports.list({ tenantId: tenant.tenantId, divisionScope: null }, ALL);
    expect(items).toMatchObject([{ isFinal: true, totalUsd: '0.00', lineCount: 1 }]);
    expect(Number(items[0]?.computeHours)).toBe((monthAt(0) - monthAt(-1)) / HOUR_MS);
    expect(await invoices(tenant)).toEqual([]);
  });

  it('are completed by the next run after an interrupted one', async () => {
    const tenants = [await bench.tenant(), await bench.tenant()];
    const shape = { nodes: 1, storageGb: 100, computeCents: 73_000, storageCents: 0 };
    for (const tenant of tenants)
      await bench.meter({
        deploymentId: await bench.deployment(tenant),
        tenantId: tenant.tenantId,
        key: `of ${tenant.tenantId}`,
        at: monthAt(-2),
        shape,
      });
    const broken = new AbortController();
    broken.abort();

    await billing().run(broken.signal);
    await billing().run(new AbortController().signal);

    for (const tenant of tenants) expect(await invoices(tenant)).toHaveLength(2);
  });

  it('are completed for all months that another process has closed and not completed', async () => {
    const tenant = await bench.tenant();
    const shape = { nodes: 1, storageGb: 100, computeCents: 73_000, storageCents: 0 };
    const deploymentId = await bench.deployment(tenant);
    await bench.meter({ deploymentId, tenantId: tenant.tenantId, key: 'a', at: monthAt(-2), shape });
    const { database } = bench.workflow;
    const months = new BillingMonthsRepository(database);
    for (const at of MONTHS) await database.transaction(() => months.close(new Date(at).toISOString().slice(0, 10)));

    await bill();

    expect(await invoices(tenant)).toHaveLength(2);
    expect(await months.firstUnsettled()).toBeNull();
  });

  async function live(
    life: Lifecycle,
    tenant: TestTenant,
    metered: Metered[],
    transfers: Transferred[],
  ): Promise<void> {
    const deploymentId = await bench.deployment(tenant);
    const of = { deploymentId, tenantId: tenant.tenantId };
    const moments = life.moments.map((offset) => monthAt(-4) + offset).sort((a, b) => a - b);
    let now = life.created;
    for (const [index, at] of moments.entries()) {
      const change = index === 0 ? life.created : life.changes[index];
      const isEnd = life.isDeleted && index > 0 && index === moments.length - 1;
      // A stop keeps the nodes and their data, and is not metered.
      if (change === undefined || (change === 'stop' && !isEnd)) continue;
      now = { ...now, ...(change === 'stop' ? {} : change) };
      metered.push({ ...of, key: `${deploymentId}:${index}`, at, shape: isEnd ? null : now });
      if (isEnd) await bench.deleted(deploymentId, at);
    }
    for (const { offset, ...transfer } of life.transfers)
      transfers.push({ ...of, ...transfer, at: monthAt(-4) + Math.min(offset, SPAN_MS - 1) });
  }

  async function enter(metered: readonly Metered[], transfers: readonly Transferred[]): Promise<void> {
    const [mine, others] = [metered.filter((_, index) => index % 2), metered.filter((_, index) => !(index % 2))];
    await Promise.all([
      ...[mine, others].map(async (rows) => {
        for (const row of rows) await bench.meter(row);
      }),
      ...transfers.map((row) => bench.transfer(row)),
    ]);
  }

  async function expectBooks(
    { tenantId, divisionId }: TestTenant,
    metered: readonly Metered[],
    transfers: readonly Transferred[],
  ): Promise<void> {
    const ids = [
      ...new Set([...metered, ...transfers].filter((row) => row.tenantId === tenantId).map((row) => row.deploymentId)),
    ];
    const expected = (id: number, from: number, until: number): Expected => {
      const mine = <T extends { deploymentId: number }>(rows: readonly T[]) =>
        rows.filter((row) => row.deploymentId === id);
      return expectedCharges(mine(metered), mine(transfers), from, until);
    };
    const scope = { tenantId, divisionScope: null };
    const database = bench.workflow.database;
    const reports = await new ReportsRepository(database).list(scope, ALL);
    const issued = await new InvoicesRepository(database).list(scope, null, ALL);
    let billed = 0n;
    for (const [index, from] of MONTHS.entries()) {
      const month = new Date(from).toISOString().slice(0, 7);
      const report = reports.items.find((item) => item.month === month);
      const lines = new Map(ids.map((id) => [id, expected(id, from, MONTHS[index + 1] ?? monthAt(0))]));
      const charged = [...lines].filter(([, { computeMs, bytes }]) => computeMs > 0n || bytes > 0n);
      const total = charged.reduce((sum, [, line]) => sum + totalOf(line), 0n);
      expect([month, report?.isFinal, report?.totalUsd ?? '0.00']).toEqual([month, report && true, usd(total)]);
      const { items } = await new ReportsRepository(database).lines(scope, report?.id ?? 0, ALL);
      expect(Object.fromEntries(items.map((line) => [line.deployment.id, moneyOf(line)]))).toEqual(
        Object.fromEntries(charged.map(([id, line]) => [id, expectedMoney(line)])),
      );
      const invoice = issued.items.find((item) => item.month === month);
      expect([month, invoice?.totalUsd ?? '0.00', invoice?.status]).toEqual([
        month,
        usd(total),
        total ? 'pending' : undefined,
      ]);
      billed += total;
    }
    expect(usd(billed)).toBe(await sumOf(issued.items.map(({ totalUsd }) => totalUsd)));
    const [from, until] = [new Date(monthAt(-4) + 3), NOW];
    const usage = await new UsageRepository(database).page({ tenantId, divisionScope: divisionId }, from, until, ALL);
    expect(Object.fromEntries(usage.items.map((line) => [line.deployment.id, moneyOf(line)]))).toEqual(
      Object.fromEntries(
        ids
          .map((id) => [id, expected(id, from.getTime(), until.getTime())] as const)
          .filter(([, { computeMs, bytes }]) => computeMs > 0n || bytes > 0n)
          .map(([id, line]) => [id, expectedMoney(line)]),
      ),
    );
  }

  async function expectNumbers(): Promise<void> {
    const rows = await bench.rows<{ numbers: string[]; counted: number }>(
      `select array_agg(right(i.number, 6) order by i.number) as numbers, m.invoices as counted
         from invoices i join billing_months m using (month) group by month, m.invoices`,
    );
    for (const { numbers, counted } of rows)
      expect(numbers).toEqual(Array.from({ length: counted }, (_, index) => String(index + 1).padStart(6, '0')));
  }

  async function sumOf(amounts: readonly string[]): Promise<string> {
    const [row] = await bench.rows<{ sum: string }>(
      'select coalesce(sum(a), 0.00)::text as sum from unnest($1::numeric[]) a',
      [amounts],
    );
    return row?.sum ?? '';
  }

  /** Returns all final rows of the tables. */
  const books = () =>
    bench.rows(
      'select * from billing_report_lines l join billing_reports r on r.id = l.report_id join invoices i on i.report_id = r.id order by r.id, l.deployment_id',
    );

  async function invoices({ tenantId }: TestTenant) {
    return (await new InvoicesRepository(bench.workflow.database).list({ tenantId, divisionScope: null }, null, ALL))
      .items;
  }

  /** By default a month closes at its end. So the test gives the same result in the first hours of a month. */
  const billing = (closesAfterHours = 0): MonthlyBillingJob =>
    new MonthlyBillingJob(
      new JobScheduler(bench.workflow.database, new SilentJobTimer(), { queue: 'none' }),
      bench.workflow.database,
      new BillingMonthsRepository(bench.workflow.database),
      new ReportsRepository(bench.workflow.database),
      new InvoicesRepository(bench.workflow.database),
      { BILLING_CLOSES_AFTER_HOURS: closesAfterHours, INVOICE_DUE_DAYS: 30 },
      new InvoiceMails(mailbox(), { LANDLORD_PUBLIC_URL: 'https://cloud.example/api', MAIN_API_PORT: 3000 }),
    );
  const mailbox = (): Mailbox =>
    new Mailbox(bench.workflow.database, new MailsRepository(bench.workflow.database, bench.workflow.secrets));
  const bill = (closesAfterHours?: number): Promise<void> =>
    billing(closesAfterHours).run(new AbortController().signal);
});

const totalOf = ({ computeCents, storageCents, transferCents }: Expected): bigint =>
  computeCents + storageCents + transferCents;

const expectedMoney = (line: Expected) => ({
  computeUsd: usd(line.computeCents),
  storageUsd: usd(line.storageCents),
  transferUsd: usd(line.transferCents),
  totalUsd: usd(totalOf(line)),
  transferGb: Number(line.bytes) / 1e9,
});

const moneyOf = (line: {
  computeUsd: string;
  storageUsd: string;
  transferUsd: string;
  totalUsd: string;
  transferGb: string;
}) => ({
  computeUsd: line.computeUsd,
  storageUsd: line.storageUsd,
  transferUsd: line.transferUsd,
  totalUsd: line.totalUsd,
  transferGb: Number(line.transferGb),
});

function shuffled<T>(items: readonly T[], chance: fc.Stream<number>): T[] {
  const keyed = items.map((item) => ({ item, key: chance.next().value as number }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}
