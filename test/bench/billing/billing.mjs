// The schedule of the main API closes, reports and invoices a year of a thousand deployments in one run. The bench also
// checks the amounts: each total is the sum of its lines, and each line matches a second implementation of the rule.
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { InvoiceMails } from '../../../dist/apps/main-api/src/billing/invoices/invoice-mails.js';
import { MonthlyBillingJob } from '../../../dist/apps/main-api/src/billing/invoices/monthly-billing-job.js';
import { Mailbox } from '../../../dist/apps/main-api/src/mail/index.js';
import { Database, dataSourceOptions, Secrets } from '../../../dist/libs/persistence/src/index.js';
import {
  InvoicesRepository,
  ReportsRepository,
  UsageRepository,
} from '../../../dist/libs/persistence/src/billing/index.js';
import { compile } from '../compile.mjs';
import { round, stealShare, summary } from '../measure.mjs';
import { DEPLOYMENTS, generateYear, MONTHS, monthsOf } from './year.mjs';

const SECRET_KEYS = `k1:${Buffer.alloc(32).toString('base64')}`;
const ORACLE = 'apps/main-api/test/charges.oracle.fixture.ts';

/** Counts the statements sent to the database. */
class CountingDatabase extends Database {
  statements = 0;

  query(...args) {
    this.statements += 1;
    return super.query(...args);
  }

  execute(...args) {
    this.statements += 1;
    return super.execute(...args);
  }
}

export async function benchBilling(world) {
  Logger.overrideLogger(false);
  const steal = stealShare().now;
  const months = monthsOf(new Date());
  const generating = performance.now();
  await generateYear(world.sql, months);
  const generated = (performance.now() - generating) / 1000;
  const options = { databaseUrl: world.url, secretKeys: SECRET_KEYS, poolSize: 2 };
  const source = await new DataSource(dataSourceOptions({ ...options, applicationName: 'bench' })).initialize();
  try {
    const database = new CountingDatabase(source);
    const first = await bill(database);
    const again = await bill(database);
    if (again.statements > 3) throw new Error(`a second run asked ${again.statements} times`);
    const checked = await check(world.sql, months);
    const read = await readAsATenant(database, months);
    const { share } = stealShare(steal);
    const plain = (name, value) => ({ name, ...summary([value]), q1: undefined, target: '', verdict: '' });
    return {
      rows: [
        plain('billing: seconds to generate the year', generated),
        plain('billing: intervals of shapes', checked.shapes),
        plain('billing: hours of transfer', checked.transfers),
        plain(
          `billing: seconds to close, report and invoice ${MONTHS} months of ${DEPLOYMENTS} deployments`,
          first.seconds,
        ),
        plain('billing: statements for that, transactions not counted', first.statements),
        plain('billing: invoices', checked.invoices),
        plain('billing: lines, each as its intervals say', checked.lines),
        plain('billing: ms to read an invoice with its lines', read.invoice),
        plain('billing: ms to reckon the usage of a month of a tenant', read.usage),
      ],
      steal_share: round(share, 4),
    };
  } finally {
    await source.destroy();
  }
}

async function bill(database) {
  const before = database.statements;
  const begun = performance.now();
  const settings = { BILLING_CLOSES_AFTER_HOURS: 3, INVOICE_DUE_DAYS: 30, MAIN_API_PORT: 3000 };
  const mails = new InvoiceMails(new Mailbox(database, new Secrets(SECRET_KEYS)), settings);
  const schedule = new MonthlyBillingJob({ add: () => undefined }, database, settings, mails);
  await schedule.run(new AbortController().signal);
  return { seconds: (performance.now() - begun) / 1000, statements: database.statements - before };
}

/** Compares intervals, lines and totals of tenants; any difference ends the bench. */
async function check(sql, months) {
  const { expectedCharges, usd } = await import(`../../../${compile(ORACLE)}`);
  const shapes = await grouped(sql, SHAPES);
  const transfers = await grouped(sql, TRANSFERS);
  const { rows: lines } = await sql.query(LINES);
  const found = new Map(lines.map((line) => [`${line.deployment_id} ${line.month}`, line]));
  const sums = new Map();
  let compared = 0;
  for (const id of shapes.keys())
    for (const [index, from] of months.slice(0, -1).entries()) {
      const wanted = expectedCharges(shapes.get(id), transfers.get(id) ?? [], from, months[index + 1]);
      if (wanted.computeMs === 0n && wanted.bytes === 0n) continue;
      const month = new Date(from).toISOString().slice(0, 7);
      const line = found.get(`${id} ${month}`);
      const said = line && [line.compute_usd, line.storage_usd, line.transfer_usd].join();
      const right = [wanted.computeCents, wanted.storageCents, wanted.transferCents].map(usd).join();
      if (said !== right) throw new Error(`deployment ${id} in ${month}: ${said}, not ${right}`);
      const tenant = `${line.tenant_id} ${month}`;
      sums.set(tenant, (sums.get(tenant) ?? 0n) + wanted.computeCents + wanted.storageCents + wanted.transferCents);
      compared += 1;
    }
  if (compared !== lines.length) throw new Error(`${lines.length} lines for ${compared} that were wanted`);
  const { rows: invoices } = await sql.query(INVOICES);
  for (const { tenant_id, month, total } of invoices)
    if (total !== usd(sums.get(`${tenant_id} ${month}`)))
      throw new Error(`tenant ${tenant_id} in ${month}: ${total}, not ${usd(sums.get(`${tenant_id} ${month}`))}`);
  if (invoices.length !== sums.size) throw new Error(`${invoices.length} invoices for ${sums.size} that were wanted`);
  const { rows } = await sql.query('select count(*)::int as count from metering_transfers');
  const count = [...shapes.values()].reduce((sum, list) => sum + list.length, 0);
  return { shapes: count, transfers: rows[0].count, invoices: invoices.length, lines: lines.length };
}

async function grouped(sql, text) {
  const { rows } = await sql.query(text);
  const groups = new Map();
  for (const row of rows) groups.set(row.deploymentId, [...(groups.get(row.deploymentId) ?? []), row]);
  return groups;
}

const SHAPES = `
  select deployment_id::int as "deploymentId", round(extract(epoch from effective_at) * 1000)::float8 as at,
    case when shape is not null then jsonb_build_object('nodes', shape -> 'nodes', 'storageGb', shape -> 'storage_size',
      'computeCents', (monthly_compute_usd * 100)::int, 'storageCents', (monthly_storage_usd * 100)::int) end as shape
    from metering_intervals order by deployment_id, effective_at`;
/** Sums by month and price. */
const TRANSFERS = `
  select deployment_id::int as "deploymentId", extract(epoch from date_trunc('month', effective_at, 'utc'))::float8 * 1000 as at,
    sum(bytes)::float8 as bytes, (usd_per_gb * 1000000)::int as "microUsdPerGb"
    from metering_transfers group by 1, 2, usd_per_gb`;
const LINES = `
  select l.deployment_id::int, r.tenant_id::int, to_char(r.month, 'YYYY-MM') as month, l.compute_usd, l.storage_usd, l.transfer_usd
    from billing_report_lines l join billing_reports r on r.id = l.report_id where r.is_final`;
const INVOICES = `
  select i.tenant_id::int, to_char(i.month, 'YYYY-MM') as month, i.status,
    (select sum(compute_usd + storage_usd + transfer_usd)::text from billing_report_lines l where l.report_id = i.report_id) as total
    from invoices i where i.status = 'pending'`;

async function readAsATenant(database, months) {
  const [invoices, reports, usage] = [
    new InvoicesRepository(database),
    new ReportsRepository(database),
    new UsageRepository(database),
  ];
  const scope = { tenantId: 2, divisionScope: null };
  const page = { page: 1, results: 100 };
  const { items } = await invoices.list(scope, null, page);
  const timed = async (work) => {
    const begun = performance.now();
    for (let times = 0; times < 20; times += 1) await work();
    return (performance.now() - begun) / 20;
  };
  return {
    invoice: await timed(async () => {
      const invoice = await invoices.find(scope, items[0].id);
      await reports.lines(scope, invoice.reportId, page);
    }),
    usage: await timed(async () => {
      const [from, until] = [new Date(months.at(-2)), new Date(months.at(-1))];
      await usage.page(scope, from, until, page);
      await usage.totals(scope, from, until);
    }),
  };
}
