import { createTestDatabase, type TestDatabase } from '@libs/testing';
import pg from 'pg';
import './billing/index.js';
import './channels/index.js';
import { statementText } from './database.js';
import { countSearch, nextSearch, pageSearch, type AuditFilter, type AuditSearch } from './ledger/audit-search.js';
import './ledger/index.js';
import './operator/index.js';
import './organization/index.js';
import './platform/index.js';
import { countOfLogs, pageOfLogs, type LogFilter, type LogSearch } from './runtime/index.js';

/** With fewer rows PostgreSQL chooses other plans than for a large installation. */
const ROWS = 30_000;
/** For tables with fewer rows a sequential scan is the right plan. */
const BIG = 1_000;
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
  Plans?: PlanNode[];
}

/** A statement that scans a whole table becomes slow when the table grows. These tests find such plans. */
describe('Query plans without a sequential scan of a large table', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let large: Set<string>;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(`set timezone = 'utc'; set session_replication_role = replica`);
    for (const statement of [...AUDIT, ...LISTS, ...TELEMETRY, ...CHANNELS, ...BILLING, ...NETWORK])
      await client.query(statement);
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
      ['its export', nextSearch(filter, null, 1000)],
      ['its export, going on', nextSearch(filter, CURSOR, 1000)],
    ] satisfies [string, AuditSearch][])('%s', async (_part, { statement, values }) => {
      expect(await scansOf(statement.text, values)).toEqual([]);
    });
  });

  describe.each(LOG_FILTERS)('the log filtered by %s', (_what, filter) => {
    it.each([
      ['its total', countOfLogs(filter)],
      ['its first page', pageOfLogs(filter, 100, 0)],
      ['a page in between', pageOfLogs(filter, 100, 500)],
    ] satisfies [string, LogSearch][])('%s', async (_part, { statement, values }) => {
      expect(await scansOf(statement.text, values)).toEqual([]);
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
    ['telemetry.left', ['local']],
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
    ['division.list', [TENANT, true, [], 10, 0]],
    ['division.count', [TENANT, false, [3, 4]]],
    ['environment.list', [TENANT, 700, true, [], [], 10, 0]],
    ['environment.count', [TENANT, 700, false, [3], [5]]],
    ['environment.counts', [TENANT, 700]],
    ['deployment.list', [TENANT, 700, null, 'aws', null, null, 'a', 10, 0]],
    ['deployment.count', [TENANT, 700, null, 'aws', null, null, 'a']],
    ['deployment.list_of_tenant', [TENANT, false, null, 'aws', null, null, 'a', [3], [5], 10, 0]],
    ['deployment.count_of_tenant', [TENANT, false, null, 'aws', null, null, 'a', [3], [5]]],
    ['deployment.usage', [TENANT]],
    ['payment_method.in_use', [TENANT]],
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
    ['report.lines', [TENANT, null, INVOICE, 10, 0]],
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
    ['billing_info.find', [TENANT]],
    ['billing_info.put', [TENANT, 'Orders Inc.', null, null, null, null]],
    ['operator.invoices', [null, null, null, 50]],
    ['operator.invoices', [TENANT, 'pending', null, 50]],
    ['operator.invoices', [null, 'failed', MONTH, 50]],
    ['operator.invoice', ['2026-05-000700']],
    ['operator.lock_invoice', ['2026-05-000700']],
    ['operator.overdue_month', [30]],
    ['channel.list', [TENANT, null, null, 10, 0]],
    ['channel.count', [TENANT, null, 'slack']],
    ['channel.find', [TENANT, null, CHANNEL]],
    ['channel.lock', [TENANT, null, CHANNEL]],
    ['channel.by_name', [TENANT, null, 'Orders']],
    ['channel.usage', [TENANT]],
    ['channel.seal', [TENANT, CHANNEL, '', null, null]],
    ['channel.update', [CHANNEL, 'Orders', '', null, true, null, null, false]],
    ['channel.wake', [CHANNEL]],
    ['channel.rotate', [CHANNEL, 'x', 60, 'y']],
    ['channel.secret', [CHANNEL]],
    ['channel.take_test', [CHANNEL, 10]],
    ['channel.since_test', [CHANNEL]],
    ['channel.take_redelivery', [CHANNEL, 10]],
    ['channel.since_redelivery', [CHANNEL]],
    ['channel.member_address', [TENANT, 'reader@people.example']],
    ['lane.suppress', [CHANNEL, 1, [7, 8]]],
    ['channel.disable', [CHANNEL]],
    ['channel.delete', [CHANNEL]],
    ['subscription.list', [TENANT, CHANNEL, 10, 0]],
    ['subscription.count', [TENANT, CHANNEL]],
    ['subscription.find', [TENANT, CHANNEL, 3]],
    ['subscription.usage', [TENANT, null]],
    ['subscription.replace', [TENANT, CHANNEL, '[]']],
    ['subscription.delete', [TENANT, CHANNEL, 3]],
    ['subscription.unknown', [TENANT, null, [TENANT], [700], [710], [705]]],
    ['delivery.list', [TENANT, CHANNEL, null, 10, 0]],
    ['delivery.count', [TENANT, CHANNEL, 'pending']],
    ['delivery.find', [TENANT, CHANNEL, 7]],
    ['delivery.history', [TENANT, CHANNEL, 10, 0]],
    ['delivery.history_count', [TENANT, CHANNEL]],
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
    ['lane.write', [CHANNEL, 1, '[{"id": 7, "is_delivered": true, "pause": 0, "log": {}}]']],
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
    ['lane.judge', [CHANNEL, 1, false, 5]],
    ['lane.park', [CHANNEL, 1]],
    ['lane.release', [CHANNEL, 1, 3]],
    ['lane.census', []],
    ['private_connection.list', [TENANT, 'vpc_peering']],
    ['private_connection.find', [TENANT, 'vpc_peering', 7]],
    ['private_connection.lock', [TENANT, 'vpc_peering', 7]],
    ['private_connection.named', [TENANT, 'vpc_peering', 'Peering 7']],
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

  it('transfer.meter_hour, except for the marks: it needs the marks of all nodes', async () => {
    const text = statementText('transfer.meter_hour') ?? '';
    const values = [new Date(NOW - DAY_MS), '{"same_region": "0.01"}', '1'];

    for (const planned of [values, null])
      expect((await scansOf(text, planned)).filter((table) => table !== 'transfer_marks')).toEqual([]);
  });

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

const AUDIT = [
  `do $$
   declare month date;
   begin
     for back in 1..10 loop
       month := date_trunc('month', now()) - make_interval(months => back);
       execute format('create table %I partition of audit_entries_365 for values from (%L) to (%L)',
         'audit_entries_365_' || to_char(month, 'YYYY_MM'), month, month + interval '1 month');
     end loop;
   end $$`,
  `insert into audit_entries (retention_class, created_at, tenant_id, type, author_id, api_key_id, user_id, division_id,
     environment_id, deployment_id, correlation_id)
   select 365, now() - interval '300 days' * (1 - n::float / ${ROWS}), n % 10, case when n % 5000 = 7 then 'rare' else 'type ' || n % 7 end,
          n % 9, n % 20, case when n % 50 = 7 then n % 11 end, n % 30, n % 90, n % 300, md5((n / 2)::text)::uuid
     from generate_series(1, ${ROWS}) n`,
  `insert into audit_counters (tenant_id, division_id, day, type, retention_class, entries)
   select tenant_id, 0, created_at::date, type, 365, count(*) from audit_entries group by 1, 3, 4`,
  `insert into audit_unsealed select tenant_id, id, 365, created_at, type, division_id from audit_entries where id % 7 = 0`,
  `insert into audit_seals (tenant_id, sequence, retention_class, month, first_at, last_at, entry_ids, count, root_hash, previous_hash, hash)
   select tenant, sequence, 365, now(), now() - interval '1 day' * (300 - sequence), now() - interval '1 day' * (299 - sequence),
          array(select generate_series(1, 50)), 50, '', '', '' from generate_series(0, 9) tenant, generate_series(1, 299) sequence`,
];

/** Three hundred tenants with a hundred rows each. */
const LISTS = [
  `insert into divisions (tenant_id, name) select n / 100, 'division ' || n from generate_series(1, ${ROWS}) n`,
  `insert into environments (tenant_id, division_id, name)
   select n / 100, n / 10 * 10, 'environment ' || n from generate_series(1, ${ROWS}) n`,
  `insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier, cluster,
     storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count, telemetry_days,
     monthly_compute, monthly_storage, pricing_version)
   select n / 100, n / 100 * 100, n / 10 * 10, 'deployment ' || n, 'c' || n, 'managed', 'aws', 'us', 'r', 'local', 'small', 'standalone',
          'network_drive', 100, 100, 'regional', 'single_az', 1, 14, 1, 1, '1' from generate_series(1, ${ROWS}) n`,
  `insert into deployment_runtimes (deployment_id, cell, status, peer_secret)
   select id, 'local', 'initialized', 'x' from deployments`,
  `insert into roles (tenant_id, name, kind, permissions)
   select n / 100, 'role ' || n, 'api_key', '{}' from generate_series(1, ${ROWS}) n`,
  `insert into api_keys (tenant_id, name, secret_hash, role_id, user_id, expiry_at)
   select n / 100, 'key ' || n, decode(repeat('00', 32), 'hex'), n, n / 100, now() + interval '1 hour' * (n / 100)
     from generate_series(1, ${ROWS}) n`,
  `insert into metering_intervals (event_key, tenant_id, deployment_id, effective_at, shape, monthly_compute_usd,
     monthly_storage_usd, pricing_version)
   select n, n / 100, n / 10, now() - interval '1 day' * (n % 10), '{}', 1, 1, '1' from generate_series(1, ${ROWS}) n`,
];

/** Ten thousand deployments with two nodes each, and one or two minutes and lines per node. */
const TELEMETRY = [
  `insert into nodes (deployment_id, ordinal, name, role, broker_driver, broker_version, image_id, storage_type, storage_size)
   select n / 2, 1 + n % 2, 'node', 'leader', 'embedded', '1', 'i', 'network_balanced', 100 from generate_series(2, 20001) n`,
  `insert into node_logs (deployment_id, node_id, at, runtime, level, message)
   select n / 2 % 10000, n % 20000, now() - interval '1 second' * (n / 2000), case n % 7 when 0 then 'agent' else 'broker' end,
          case n % 11 when 0 then 'error' when 1 then 'warn' else 'info' end, 'line ' || n from generate_series(1, ${ROWS}) n`,
  `insert into node_heartbeats (deployment_id, minute, node_id, beats, last_at, status)
   select n / 2 % 10000, date_trunc('minute', now()) - interval '1 minute' * (n / 20000), n % 20000, 6, now(), 'running'
     from generate_series(1, ${ROWS}) n`,
  ...['node_metrics', 'node_metric_rollups'].map(
    (table) => `
      insert into ${table} (deployment_id, node_id, runtime, minute, clients, bytes_in, bytes_out)
      select n / 2 % 10000, n % 20000, 'broker', date_trunc('minute', now()) - interval '5 minutes' * (n / 20000), 1, n, n
        from generate_series(1, ${ROWS}) n`,
  ),
  `insert into transfer_marks (node_id, deployment_id, minute, bytes)
   select n, n / 2, date_trunc('minute', now()) - interval '20 minutes', n from generate_series(0, 19999) n`,
];

/**
 * Five thousand tenants with four channels each, half of them with two subscriptions, and their deliveries of a month. A few
 * channel queues are due, a few fail. Events of three months, nearly all dispatched. `channel.forget` is not checked: it reads
 * all channels once an hour on purpose.
 */
const CHANNELS = [
  `insert into notification_channels (tenant_id, division_id, channel, name, created_at)
   select n / 4, case n % 4 when 3 then n / 4 * 100 end, 'webhook', 'channel ' || n, now() - interval '1 year'
     from generate_series(1, 20000) n`,
  `insert into notification_subscriptions (tenant_id, channel_id, message_types)
   select tenant_id, id, '{node_reachable}' from notification_channels, generate_series(1, 2) where id % 2 = 0`,
  `insert into notification_lanes (channel_id, last_sequence, due_at, failing_since)
   select id, 5, case when id % 1000 = 0 then now() end, case when id % 2500 = 0 then now() end from notification_channels`,
  `insert into notification_deliveries (channel_id, sequence, message_id, message_type, tenant_id, subject, content, data, event_at,
     status, attempts, delivered_at)
   select n % 20000, n / 20000, gen_random_uuid(), 'node_reachable', n % 20000 / 4, 's', 'c', '{}', now(),
          case when n % 100 < 2 then 'pending' else 'delivered' end, n % 100, case when n % 100 >= 2 then now() end
     from generate_series(1, ${ROWS}) n`,
  `insert into outbox (event_key, type, tenant_id, subject, data, trace_id, created_at, dispatched_at)
   select 'event ' || n, 'node_reachable', n % 5000, 's', '{}', 't', now() - interval '89 days' * (1 - n::float / ${ROWS}),
          case when n < ${ROWS} - 50 then now() - interval '89 days' * (1 - n::float / ${ROWS}) end
     from generate_series(1, ${ROWS}) n`,
];

/**
 * Five thousand deployments with four private connections and four deleted ones each, and ten consumers for some connections. A
 * few are in creation.
 */
const NETWORK = [
  `insert into private_connections (deployment_id, cell, kind, name, spec, status, deleted_at, looked_at)
   select n / 8, 'local', (array['vpc_peering', 'network_peering', 'endpoint_service', 'service_attachment'])[1 + n % 4], 'Peering ' || n, '{}',
          'active', case when n % 8 < 4 then now() end, now() - interval '1 millisecond' * (n % 5000) from generate_series(8, 40007) n`,
  `insert into private_connection_consumers (private_connection_id, connection_id, owner, status)
   select n / 10, 'psc-' || n, 'their-project', 'accepted' from generate_series(10, 50009) n`,
  `insert into operations (type, queue, changing, step, tenant_id, division_id, environment_id, deployment_id, trace_id, memo, status,
     finished_at)
   select 'create_private_connection', 'local', false, 'created', n / 800, n / 800 * 100, n / 80 * 10, n / 8, 't',
          jsonb_build_object('private_connection_id', n), case when n % 400 = 0 then 'running' else 'succeeded' end,
          case when n % 400 <> 0 then now() end from generate_series(8, 40007) n`,
];

/**
 * Twelve months of ten thousand tenants, nearly all invoiced and paid, with three deployments per report. Ten days with
 * transfer in every hour. The two statements that lock the accounts name no table. `operator.months` sums whole months on
 * purpose.
 */
const BILLING = [
  `insert into tenants (name, owner_id, plan) select 'tenant ' || n, 1, 'pro' from generate_series(1, 10000) n`,
  `insert into payment_methods (tenant_id, provider) select id, 'manual' from tenants`,
  `insert into billing_infos (tenant_id, company) select id, 'company' from tenants`,
  `delete from billing_months`,
  `insert into billing_months (month, settled_at, invoices)
   select date '2025-06-01' + make_interval(months => n), case when n < 11 then now() end, 10000 from generate_series(0, 11) n`,
  `insert into billing_reports (tenant_id, month, is_final)
   select 1 + n % 10000, date '2025-06-01' + make_interval(months => n / 10000), true from generate_series(0, 119999) n`,
  `insert into billing_report_lines (report_id, deployment_id, deployment_name, deployment_code, division_id, division_name, environment_id,
     environment_name, compute_hours, storage_gb_hours, transfer_gb, compute_usd, storage_usd, transfer_usd, periods)
   select r.id, r.tenant_id * 100 + n, 'd', 'c', r.tenant_id * 100, 'v', r.tenant_id * 100, 'e', 1, 1, 1, 1, 1, 1, '[]'
     from billing_reports r, generate_series(1, 3) n`,
  `insert into invoices (report_id, tenant_id, month, status, number, provider, bill_to, next_attempt_at)
   select id, tenant_id, month, status, case when status <> 'draft' then to_char(month, 'YYYY-MM-') || lpad(tenant_id::text, 6, '0') end,
          'manual', '{}', case when status = 'failed' and id % 10 = 0 then now() end
     from billing_reports, lateral (select case when month < '2026-05-01' then case when id % 100 = 0 then 'failed' else 'paid' end
                                                when tenant_id <= 100 then 'draft' else 'pending' end as status) s`,
  `insert into metering_transfers (tenant_id, deployment_id, effective_at, bytes, usd_per_gb, pricing_version)
   select n % 1000, n % 1000 * 100 + n % 100, now() - interval '1 hour' * (n / 417), n, 0.01, '1' from generate_series(1, ${ROWS}) n`,
];
