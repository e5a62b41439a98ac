import '@libs/operator';
import { createTestDatabase, type TestDatabase } from '@libs/testing';
import pg from 'pg';
import { CELL, LARGE_CELL, LARGE_TABLES } from '../test/large-tables.fixture.js';
import { learnedCalls, type LearnedCall } from '../test/learned-calls.fixture.js';
import './billing/index.js';
import './channels/index.js';
import { statementText } from './database.js';
import {
  countSearch,
  nextSearch,
  olderSearch,
  pageSearch,
  type AuditFilter,
  type AuditSearch,
} from './ledger/audit-search.js';
import './ledger/index.js';
import './organization/index.js';
import './platform/index.js';
import { searchOf, type LogFilter } from './runtime/index.js';

/** For tables with fewer rows a sequential scan is the right plan. */
const BIG = 1_000;
/** With fewer calls, the test no longer knows the statements of TypeORM. */
const FEWEST_LEARNED = 100;
const DAY_MS = 86_400_000;
/** One of three hundred tenants in the lists, one of ten in the audit. */
const TENANT = 7;
const NOW = Date.now();
const CURSOR = { createdAt: new Date(NOW - 60 * DAY_MS).toISOString(), id: 5 };

const all: AuditFilter = { tenantId: TENANT, since: new Date(NOW - 300 * DAY_MS), until: new Date(NOW + DAY_MS) };
const FILTERS: [string, AuditFilter][] = [
  ['nothing', all],
  ['a time', { ...all, since: new Date(NOW - 70 * DAY_MS), until: new Date(NOW - 40.5 * DAY_MS) }],
  ['types', { ...all, types: ['type 3', 'type 4'] }],
  ['a rare type', { ...all, types: ['rare'] }],
  ['an author', { ...all, author: 3 }],
  ['a key', { ...all, api_key: 3 }],
  ['a user', { ...all, user: 3 }],
  ['a division', { ...all, division: 3 }],
  ['an environment', { ...all, environment: 3 }],
  ['a deployment', { ...all, deployment: 3 }],
  ['a correlation id', { ...all, correlationId: '4bf92f35-77b3-4da6-a3ce-929d0e0e4736' }],
  ['a scope', { ...all, scope: 3, types: ['type 3'] }],
  ['an author and types', { ...all, author: 3, types: ['type 3'] }],
];

/** The inputs of a statement that a hundred requests share. */
const MANY = Array.from({ length: 100 }, (_, at) => at * 7 + 1);
/** The channels that one statement reads. */
const FEW = MANY.slice(0, 10);

/** One of the channels of the tenant. */
const CHANNEL = 28;

/** The days of the month to invoice, and some tenants of a batch. */
const [BEGAN, ENDED] = [new Date(NOW - 30 * DAY_MS), new Date(NOW)];
const BATCH = Array.from({ length: 100 }, (_, at) => at + 1);
const MONTH = '2026-05-01';
/** One of its invoices, with its report. */
const INVOICE = 110_007;

/** One of ten thousand deployments, each with two nodes. */
const LOGS: LogFilter = { deploymentId: TENANT, from: new Date(NOW - DAY_MS), to: new Date(NOW + DAY_MS) };
const LOG_FILTERS: [string, LogFilter][] = [
  ['nothing', LOGS],
  ['a node', { ...LOGS, node: 14 }],
  ['a level', { ...LOGS, level: 'error' }],
  ['the common level', { ...LOGS, level: 'info' }],
  ['a runtime', { ...LOGS, runtime: 'agent' }],
  ['a text', { ...LOGS, message: 'line' }],
  ['a time', { ...LOGS, from: new Date(NOW - 60_000) }],
  ['all at once', { ...LOGS, node: 14, level: 'warn', runtime: 'broker', message: 'line' }],
];

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

interface AnalyzedNode extends PlanNode {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

/** A statement that scans a whole table becomes slow when the table grows. These tests find such plans. */
describe('Query plans without a sequential scan of a large table', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let large: Set<string>;
  let learned: LearnedCall[];

  beforeAll(async () => {
    database = await createTestDatabase();
    learned = await learnedCalls(database.url);
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(`set timezone = 'utc'; set session_replication_role = replica`);
    for (const statement of LARGE_TABLES) await client.query(statement);
    await client.query('analyze');
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and reltuples > ${BIG}`,
    );
    large = new Set(rows.map(({ name }) => name));
  });
  afterAll(async () => {
    await client?.end();
    await database?.drop();
  });

  it('are checked on tables with many rows', () => {
    const names = [...large];

    expect(names.filter((name) => /^audit_entries_365_\d{4}_\d\d$/.test(name)).length).toBeGreaterThan(5);
    expect(names).toEqual(
      expect.arrayContaining(['divisions', 'environments', 'deployments', 'deployment_runtimes', 'api_keys']),
    );
    expect(names).toEqual(expect.arrayContaining(['metering_intervals', 'metering_transfers', 'invoices']));
    expect(names).toEqual(expect.arrayContaining(['billing_reports', 'billing_report_lines', 'billing_infos']));
    expect(names).toEqual(expect.arrayContaining(['audit_seals', 'audit_unsealed', 'audit_counters', 'nodes']));
    expect(names).toEqual(expect.arrayContaining(['outbox', 'notification_channels', 'notification_subscriptions']));
    expect(names).toEqual(expect.arrayContaining(['notification_lanes', 'transfer_marks']));
    for (const table of [
      'node_logs',
      'node_heartbeats',
      'node_metrics',
      'node_metric_rollups',
      'notification_deliveries',
    ])
      expect(names.filter((name) => name.startsWith(`${table}_2`)).length).toBeGreaterThan(0);
  });

  it('are distinguished from plans with such a scan', async () => {
    expect(await scansOf('select count(data) from audit_entries')).not.toEqual([]);
  });

  describe.each(FILTERS)('the audit filtered by %s', (_what, filter) => {
    it.each([
      ['its total', countSearch(filter)],
      ['its first page', pageSearch(filter, 10, 0, false)],
      ['its last page', pageSearch(filter, 10, 0, true)],
      ['a page in between', pageSearch(filter, 10, 200, false)],
      ['the page after an entry', olderSearch(filter, { value: Date.now() * 1000, id: 1_000 }, 10)],
      ['its export', nextSearch(filter, null, 1000)],
      ['its export, going on', nextSearch(filter, CURSOR, 1000)],
    ] satisfies [string, AuditSearch][])('%s', async (_part, { statement, values }) => {
      expect(await scansOf(statement.text, values)).toEqual([]);
    });
  });

  describe.each(LOG_FILTERS)('the log filtered by %s', (_what, filter) => {
    const { list, values } = searchOf(filter);
    it.each([
      ['its total', list.count, []],
      ['its first page', list.first, [100, 0]],
      ['a page in between', list.first, [100, 500]],
    ])('%s', async (_part, { text }, bounds) => {
      expect(await scansOf(text, [...values, ...bounds])).toEqual([]);
    });
  });

  it.each([
    ['node_log.last', [TENANT]],
    [
      'node_log.after',
      [
        [TENANT, TENANT + 1],
        [0, 5],
      ],
    ],
    ['heartbeat.list', [TENANT, 10, 0]],
    ['heartbeat.list_of_node', [TENANT, 10, 0, 14]],
    ['heartbeat.count', [TENANT]],
    ['heartbeat.count_of_node', [TENANT, 14]],
    ['metric.latest', [TENANT, 120]],
    ['metric.has_node', [TENANT, 14]],
    ['metric.series', [TENANT, new Date(NOW - DAY_MS), new Date(NOW), 60, 14, 'broker']],
    ['metric.series_of_nodes', [TENANT, new Date(NOW - DAY_MS), new Date(NOW), 60, [14, 15]]],
    ['diagnostic_fact.logs', [TENANT, [14, 15], ['agent', 'broker'], 100]],
    ['telemetry.left', [CELL]],
    ['reachability.count', [CELL, 30]],
    ['reachability.judge', [CELL, 30]],
    ['reachability.absolve', [CELL]],
    ['reachability.note_down', [CELL]],
    ['reachability.misjudged', [CELL]],
    ['reachability.lag', [CELL]],
    ['node_revivals.take', [CELL, 30, 10, 100, []]],
    ['usage_alert.samples', [CELL, 90, 60, '{"small": 1}', '{"small": 1}']],
    ['runtime.lost_features', [CELL]],
    ['certificate.due', [CELL, 'nodes.example', 30, 1, 20, null]],
    ['certificate.mark_expiring', [CELL, 7]],
    ['backup.expired', [CELL]],
    ['backup_schedule.find_due', [CELL]],
    ['cloud_resources.places', ['local', CELL]],
    ['operation_event.forget', []],
    ['upgrade.take_ended', []],
    ['gauges.operations', []],
    ['operation.list', [TENANT, true, [], [], null, null, null, 10, 0]],
    ['operation.count', [TENANT, true, [], [], null, null, null]],
    ['structure.tree', [TENANT, true, [], [], true, [], [], true, [], []]],
    ['structure.totals', [TENANT, true, [], [], true, [], [], true, [], []]],
    ['summary.health', [CELL, TENANT, null, true, [], [], 30, '{"small": 1}']],
    ['telemetry.purge_node_logs', [TENANT]],
    ['telemetry.purge_node_metrics', [TENANT]],
    ['transfer.meter_deployment', [TENANT, '{"same_region": "0.01"}', '1']],
    ['transfer.forget', [TENANT]],
    ['telemetry.roll_up', [new Date(NOW - DAY_MS)]],
    ['audit_seal.round', []],
    ['audit_seal.last', [TENANT]],
    ['audit_seal.waiting', [TENANT]],
    ['audit_seal.window', [TENANT, 3]],
    ['audit_seal.unknown', [TENANT, CURSOR.createdAt, CURSOR.id]],
    ['audit_seal.sealed_after', [TENANT, CURSOR.createdAt]],
    ['division.list', [TENANT, true, [], 'a', 10, 0]],
    ['division.count', [TENANT, false, [3, 4], null]],
    ['environment.list', [TENANT, 700, true, [], [], 'a', 10, 0]],
    ['environment.count', [TENANT, 700, false, [3], [5], null]],
    ['environment.counts', [TENANT, 700]],
    ['deployment.list', [TENANT, 700, null, 'aws', null, null, 'a', 10, 0]],
    ['deployment.count', [TENANT, 700, null, 'aws', null, null, 'a']],
    ['deployment.list_of_tenant', [TENANT, false, null, 'aws', null, null, 'a', [3], [5], 10, 0]],
    ['deployment.count_of_tenant', [TENANT, false, null, 'aws', null, null, 'a', [3], [5]]],
    ['deployment.usage', [TENANT]],
    ['payment_method.in_use', [TENANT]],
    ['role.list', [TENANT, null, ['api_key'], 'a', 10, 0]],
    ['role.count', [TENANT, null, ['api_key'], 'a']],
    ['unverified.keys', [7]],
    ['api_key.list', [TENANT, null, 'a', 10, 0]],
    ['api_key.count', [TENANT, null, 'a']],
    ['api_key.find_expiring', [7, null, null, 500]],
    ['api_key.find_expiring', [7, new Date(NOW).toISOString(), 50, 500]],
    ['spend.watched', [0, 500, null]],
    ['spend.watched', [5_000, 500, new Date(NOW)]],
    ['usage.list', [TENANT, null, BEGAN, ENDED, 10, 0]],
    ['usage.list', [TENANT, 700, BEGAN, ENDED, 10, 0]],
    ['usage.count', [TENANT, null, BEGAN, ENDED]],
    ['usage.totals', [TENANT, null, BEGAN, ENDED]],
    ['report.draw', [BATCH, MONTH, false]],
    ['report.draw', [BATCH, MONTH, true]],
    ['report.list', [TENANT, null, 10, 0]],
    ['report.list', [TENANT, 700, 10, 0]],
    ['report.count', [TENANT, null]],
    ['report.count', [TENANT, 700]],
    ['report.find', [TENANT, 700, INVOICE]],
    ['report.list_lines', [TENANT, null, INVOICE, 10, 0]],
    ['report.count_lines', [TENANT, 700, INVOICE]],
    ['invoice.draft', [MONTH, BATCH]],
    ['invoice.issue', [MONTH, BATCH, 30]],
    ['invoice.list', [TENANT, null, null, 10, 0]],
    ['invoice.list', [TENANT, 700, 'pending', 10, 0]],
    ['invoice.count', [TENANT, null, 'paid']],
    ['invoice.find', [TENANT, 700, INVOICE]],
    ['invoice_payment.take', [50]],
    ['invoice_payment.pay', [INVOICE]],
    ['invoice_payment.fail', [INVOICE, 'declined', 86_400]],
    ['invoice_payment.cancel', [INVOICE]],
    ['billing_month.open', [86_400]],
    ['billing_month.close', [MONTH]],
    ['billing_month.unsettled', []],
    ['billing_month.lock', [MONTH]],
    ['billing_month.settle', [MONTH]],
    ['billing_month.tenants', [MONTH, 0, 100]],
    ['billing_month.tenants', [MONTH, 500, 100]],
    ['billing_info.put', [TENANT, 'Orders Inc.', null, null, null, null]],
    ['operator.invoices', [null, null, null, 50]],
    ['operator.invoices', [TENANT, 'pending', null, 50]],
    ['operator.invoices', [null, 'failed', MONTH, 50]],
    ['operator.invoice', ['2026-05-000700']],
    ['operator.lock_invoice', ['2026-05-000700']],
    ['operator.overdue_month', [30]],
    ['channel.list', [TENANT, null, null, 'a', true, 10, 0]],
    ['channel.count', [TENANT, null, 'slack', null, null]],
    ['channel.lock', [TENANT, null, CHANNEL]],
    ['channel.usage', [TENANT]],
    ['channel.wake', [CHANNEL]],
    ['channel.rotate', [CHANNEL, 'x', 60, 'y']],
    ['channel.take_test', [CHANNEL, 10]],
    ['channel.since_test', [CHANNEL]],
    ['channel.take_redelivery', [CHANNEL, 10]],
    ['channel.since_redelivery', [CHANNEL]],
    ['channel.member_address', [TENANT, 'reader@people.example']],
    ['lane.suppress', [CHANNEL, 1, [7, 8]]],
    ['channel.disable', [CHANNEL]],
    ['subscription.list', [TENANT, CHANNEL, 10, 0]],
    ['subscription.count', [TENANT, CHANNEL]],
    ['subscription.find', [TENANT, CHANNEL, 3]],
    ['subscription.usage', [TENANT, null]],
    ['subscription.replace', [TENANT, CHANNEL, '[]']],
    ['subscription.unknown', [TENANT, null, [TENANT], [700], [710], [705]]],
    ['delivery.list', [TENANT, CHANNEL, null, 10, 0]],
    ['delivery.count', [TENANT, CHANNEL, 'pending']],
    ['delivery.find', [TENANT, CHANNEL, 7]],
    ['delivery.list_delivered', [TENANT, CHANNEL, 10, 0]],
    ['delivery.count_delivered', [TENANT, CHANNEL]],
    ['delivery.redeliver', [TENANT, CHANNEL, 7]],
    ['delivery.insert_test', [TENANT, null, CHANNEL, 'subject', 'content']],
    ['lane.take', [100, 15, false]],
    ['lane.take', [50, 15, true]],
    ['lane.next', []],
    ['lane.open', [[CHANNEL], [1]]],
    ['lane.open', [FEW, FEW]],
    ['lane.first', [[CHANNEL], [50]]],
    ['lane.first', [FEW, FEW.map(() => 200)]],
    ['lane.again', [[CHANNEL], [50]]],
    ['lane.again', [FEW, FEW.map(() => 200)]],
    ['lane.write', [CHANNEL, 1, '[{"id": 7, "is_delivered": true, "pause": 0, "log": {}}]', [7]]],
    ['caller.resolve', [[7], [700], [710], [7]]],
    ['caller.resolve', [MANY, MANY, MANY, MANY]],
    ['caller.resolve_with_deployment', [[7], [700], [710], [7]]],
    ['caller.resolve_with_deployment', [MANY, MANY, MANY, MANY]],
    ['session.resolve', [[7], [TENANT], [700], [710], [7]]],
    ['session.resolve', [MANY, MANY, MANY, MANY, MANY]],
    ['session.resolve_with_deployment', [[7], [TENANT], [700], [710], [7]]],
    ['session.resolve_with_deployment', [MANY, MANY, MANY, MANY, MANY]],
    ['document.find', [[7], [0], [0]]],
    ['document.find', [MANY, MANY, MANY]],
    ['agent.find', [[7]]],
    ['agent.find', [MANY]],
    ['tenant.plan', [[TENANT]]],
    ['tenant.plan', [MANY]],
    ['lane.renew', [CHANNEL, 1, 15]],
    ['lane.record_health', [CHANNEL, 1, false, 5]],
    ['lane.park', [CHANNEL, 1]],
    ['lane.release', [CHANNEL, 1, 3]],
    ['lane.census', []],
    ['private_connection.lock', [TENANT, 'vpc_peering', 7]],
    ['private_connection.count', [TENANT, ['vpc_peering', 'network_peering']]],
    ['private_connection.take_due', ['local', 4, 100]],
    ['private_connection.creation', [TENANT, 7]],
    ['private_connection.living', [[TENANT, TENANT + 1]]],
    ['private_connection.forget_all', [TENANT]],
    ['private_consumer.list', [7]],
    ['private_consumer.see', [[7, 8], '[]']],
    ['outbox.waiting', [200]],
    ['outbox.dispatch', [Array.from({ length: 20 }, (_, at) => 99_000 + at), Array.from({ length: 20 }, () => '')]],
    ['outbox.forget', []],
  ] as [string, unknown[]][])('%s, planned for its values and for any values', async (name, values) => {
    const text = statementText(name) ?? '';

    expect(text).not.toBe('');
    expect(await scansOf(text, values)).toEqual([]);
    expect(await scansOf(text, null)).toEqual([]);
  });

  it('of TypeORM, planned for its values and for any values', async () => {
    const scans: string[] = [];
    for (const { method, text, values } of learned.flatMap(({ statements }) => statements))
      for (const tables of [await scansOf(text, values), await scansOf(text, null)])
        scans.push(...tables.map((table) => `${method}: ${table}`));

    expect(learned.length).toBeGreaterThan(FEWEST_LEARNED);
    expect(scans).toEqual([]);
  });

  it('transfer.meter_hour, except for the marks: it needs the marks of all nodes', async () => {
    const text = statementText('transfer.meter_hour') ?? '';
    const values = [new Date(NOW - DAY_MS), '{"same_region": "0.01"}', '1'];

    for (const planned of [values, null])
      expect((await scansOf(text, planned)).filter((table) => table !== 'transfer_marks')).toEqual([]);
  });

  // An index scan of all rows, and a scan within a function, are no sequential scan of the plan.
  it.each([
    ['backup.expired', [CELL], 6_000],
    ['telemetry.drop_expired', [], 900],
    ['deployment.list_of_tenant', [TENANT, true, null, null, null, null, null, [], [], 1, 99], 600],
  ] as [string, unknown[], number][])('%s reads few pages', async (name, values, most) => {
    const plan = await analyzed(name, values);

    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(most);
  });

  it.each([
    ['backup.expired', [LARGE_CELL], 12_000],
    ['runtime.lost_features', [CELL], 1_000],
    ['usage_alert.samples', [LARGE_CELL, 90, 60, '{"small": 1}', '{"small": 1}'], 40_000],
  ] as [string, unknown[], number][])('%s reads no rows of other cells', async (name, values, most) => {
    const nodes = nodesOf(await analyzed(name, values));

    expect(Math.max(...nodes.map(rowsRead))).toBeLessThan(most);
  });

  /** The plan after a run of the statement that is rolled back. */
  async function analyzed(name: string, values: unknown[]): Promise<AnalyzedNode> {
    await client.query('begin');
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${statementText(name)}`, values);
    await client.query('rollback');
    return (rows[0]['QUERY PLAN'] as [{ Plan: AnalyzedNode }])[0].Plan;
  }

  /** The large tables that the plan scans sequentially. Without values, checks the generic plan. */
  async function scansOf(text: string, values: unknown[] | null = []): Promise<string[]> {
    const options = values ? 'format json' : 'format json, generic_plan';
    const query = `explain (${options}) ${text}`;
    const { rows } = await (values ? client.query(query, values) : client.query(query));
    const [{ Plan: plan }] = rows[0]['QUERY PLAN'] as [{ Plan: PlanNode }];
    return nodesOf(plan)
      .filter((node) => node['Node Type'] === 'Seq Scan' && large.has(node['Relation Name'] ?? ''))
      .map((node) => node['Relation Name'] ?? '');
  }
});

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const rowsRead = ({ 'Actual Rows': returned = 0, 'Rows Removed by Filter': removed = 0, ...node }: PlanNode): number =>
  (returned + removed) * (node['Actual Loops'] ?? 1);
