// The measured statements: the production ones by their names, with the values that a request or a background loop sends.
// `flat`: the rows that the statement must read do not grow. `own`: they grow like the large tenant or the large cell. `all`:
// they grow like the installation.
import '../../../dist/libs/persistence/src/billing/index.js';
import '../../../dist/libs/persistence/src/channels/index.js';
import { countSearch, nextSearch, pageSearch } from '../../../dist/libs/persistence/src/ledger/audit-search.js';
import '../../../dist/libs/persistence/src/ledger/index.js';
import '../../../dist/libs/operator/src/index.js';
import '../../../dist/libs/persistence/src/organization/index.js';
import '../../../dist/libs/persistence/src/platform/index.js';
import { statementText } from '../../../dist/libs/persistence/src/database.js';
import { countOfLogs, pageOfLogs } from '../../../dist/libs/persistence/src/runtime/index.js';
import '../../../dist/libs/workflow/src/index.js';
import { FIRST, LARGE } from './fill.mjs';

const DAY_MS = 86_400_000;
const EVERYBODY = [true, [], []];
const SIZES = '{"small": 4000000000, "medium": 8000000000, "large": 16000000000}';
const CORES = '{"small": 1, "medium": 2, "large": 4}';

/** A deployment with three nodes of a small tenant in a small cell, and the same of the large ones. */
const SMALL_ONE = place(1_501);
const LARGE_ONE = place(1_510);

function place(g) {
  const tenant = g % 10 === 0 ? LARGE : FIRST + 1 + Math.floor(g / 100);
  const division = tenant * 10 + (g % 10 === 0 ? Math.floor(g / 10) % 10 : g % 3);
  const cell = g % 10 === 0 ? 'large' : `cell-${Math.floor(g / 1000)}`;
  const environment = division * 10 + (Math.floor(g / 3) % 3);
  return { tenant, division, environment, cell, deployment: FIRST + g };
}

/** One statement: `growth` is flat, own or all. `what` names it in the table. */
const named = (growth, what, name, values) => ({ growth, what, name, text: statementText(name), values });
const searched = (growth, what, { statement, values }) => ({ growth, what, ...statement, values });

/** All statements. `deployments`: how many the database has. */
export const statementsOf = (deployments) =>
  [
    ...requests(SMALL_ONE, 'flat', 'small tenant', 1),
    ...otherRequests(SMALL_ONE),
    ...requests(LARGE_ONE, 'own', 'large tenant', Math.floor(deployments / 100)),
    ...loopsOfACell(SMALL_ONE.cell, 'flat', 'small cell'),
    ...loopsOfACell('large', 'own', 'large cell'),
    ...loopsOfAll(),
    ...hourly(),
  ].map(checked);

function checked(one) {
  if (!one.text) throw new Error(`no statement is named ${one.name}`);
  return one;
}

/** What the requests of one tenant send. `last`: the number of the last page of its deployments. */
function requests({ tenant, division, environment, deployment, cell }, growth, whose, last) {
  const of = (what, name, values) => named(growth, `${what}, ${whose}`, name, values);
  const any = [null, null, null, null, null];
  const audit = { tenantId: tenant, since: new Date(Date.now() - 365 * DAY_MS), until: new Date(Date.now() + DAY_MS) };
  const logs = { deploymentId: deployment, from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + DAY_MS) };
  const level = [true, [], [], true, [], [], true, [], []];
  return [
    of('deployments: page 1', 'deployment.list_of_tenant', [tenant, true, ...any, [], [], 10, 0]),
    of('deployments: last page', 'deployment.list_of_tenant', [tenant, true, ...any, [], [], 10, (last - 1) * 10]),
    of('deployments of an environment', 'deployment.list', [tenant, environment, ...any, 10, 0]),
    of('deployments by a part of the name', 'deployment.list_of_tenant', [
      tenant,
      true,
      null,
      null,
      null,
      null,
      '51',
      [],
      [],
      10,
      0,
    ]),
    named('flat', `deployment: detail, ${whose}`, 'deployment.find', [tenant, environment, deployment]),
    of('limits in the creation lock', 'deployment.usage', [tenant]),
    of('structure: tree', 'structure.tree', [tenant, ...level]),
    of('structure: totals', 'structure.totals', [tenant, ...level]),
    of('summary', 'summary.health', [cell, tenant, null, ...EVERYBODY, 30, SIZES]),
    of('operations: page 1', 'operation.list', [tenant, ...EVERYBODY, null, null, null, 10, 0]),
    of('operations: total', 'operation.count', [tenant, ...EVERYBODY, null, null, null]),
    of('operations that failed: page 1', 'operation.list', [tenant, ...EVERYBODY, null, null, 'failed', 10, 0]),
    of('operations that run: page 1', 'operation.list', [tenant, ...EVERYBODY, null, null, 'running', 10, 0]),
    searched(growth, `audit: total, ${whose}`, countSearch(audit)),
    searched(growth, `audit: page 1, ${whose}`, pageSearch(audit, 10, 0, false)),
    searched(growth, `audit: last page, ${whose}`, pageSearch(audit, 10, 0, true)),
    searched('flat', `audit of a deployment, ${whose}`, pageSearch({ ...audit, deployment }, 10, 0, false)),
    searched(growth, `audit: export, first thousand, ${whose}`, nextSearch(audit, null, 1000)),
    searched('flat', `log: page 1, ${whose}`, pageOfLogs(logs, 100, 0)),
    searched('flat', `log: total, ${whose}`, countOfLogs(logs)),
    named('flat', `heartbeats: page 1, ${whose}`, 'heartbeat.list', [deployment, 10, 0]),
    named('flat', `metrics: latest, ${whose}`, 'metric.latest', [deployment, 120]),
    of('divisions: page 1', 'division.list', [tenant, true, [], 10, 0]),
    of('environments: page 1', 'environment.list', [tenant, division, ...EVERYBODY, 10, 0]),
    of('usage of a month: page 1', 'usage.list', [tenant, null, new Date(Date.now() - 30 * DAY_MS), new Date(), 10, 0]),
    of('usage of a month: totals', 'usage.totals', [tenant, null, new Date(Date.now() - 30 * DAY_MS), new Date()]),
  ];
}

/** Requests about things that the large tenant has none of. */
function otherRequests({ tenant, division, environment, deployment }) {
  const of = (what, name, values) => named('flat', what, name, values);
  const resource = [[tenant * 3 + 1], [division], [environment], [deployment]];
  return [
    of('caller and deployment of a request', 'caller.resolve_with_deployment', resource),
    of('API keys: page 1', 'api_key.list', [tenant, null, null, 10, 0]),
    of('invoices: page 1', 'invoice.list', [tenant, null, null, 10, 0]),
    of('deliveries of a channel: page 1', 'delivery.list', [tenant, tenant, null, 10, 0]),
    of('one operation', 'operation.find', [tenant, ...EVERYBODY, deployment * 10 + 9]),
  ];
}

/** What the background loops of one Supervisor send every few seconds. */
function loopsOfACell(cell, growth, whose) {
  const of = (what, name, values) => named(growth, `${what}, ${whose}`, name, values);
  return [
    of('silent nodes: count', 'reachability.count', [cell, 30]),
    of('silent nodes: judge', 'reachability.judge', [cell, 30]),
    of('silent nodes: absolve', 'reachability.absolve', [cell]),
    of('nodes that are down', 'reachability.note_down', [cell]),
    of('deployments with a wrong status', 'reachability.misjudged', [cell]),
    of('gauges of the agents', 'reachability.lag', [cell]),
    of('nodes to revive', 'node_revivals.take', [cell, 30, 10, 100]),
    of('samples of usage alerts', 'usage_alert.samples', [cell, 90, 60, SIZES, CORES]),
    of('lost features', 'runtime.lost_features', [cell]),
    of('certificates to renew', 'certificate.due', [cell, 'growth.test', 30, 1, 20, null]),
    of('certificates that expire', 'certificate.mark_expiring', [cell, 7]),
    of('backups to delete', 'backup.expired', [cell]),
    of('backups to take', 'backup_schedule.find_due', [cell]),
    of('snapshots to delete', 'diagnostic_snapshot.expired', [cell]),
    of('clients to redirect', 'redirection.due', [cell, 20]),
    of('accounts in use', 'account_access.in_use', [cell]),
    of('places of resources', 'cloud_resources.places', ['local', cell]),
    of('previous passwords that end', 'credentials.find_ended', [cell]),
    of('connectors that failed', 'connector.take_alarms', [cell]),
    of('private connections to look at', 'private_connection.take_due', [cell, 4, 100]),
    of('telemetry of deleted deployments', 'telemetry.left', [cell]),
    of('operations that are due', 'sweeper.due', [[cell], 1]),
    of('operations past their deadline', 'sweeper.incidents', [[cell]]),
    of('machines that drain', 'machine_drain.movable', [cell, 20]),
  ];
}

/** What the background loops of the main API and the keepers of partitions send. */
function loopsOfAll() {
  const of = (what, name, values = []) => named('flat', what, name, values);
  return [
    of('audit: seal', 'audit_seal.round'),
    of('events to pass on', 'outbox.waiting', [200]),
    of('events to forget', 'outbox.forget'),
    of('channel queues that are due', 'lane.take', [100, 15, false]),
    of('channel queues: census', 'lane.census'),
    of('mails to send', 'mail.take', [50, 60]),
    of('mails to forget', 'mail.forget'),
    of('events of operations to forget', 'operation_event.forget'),
    of('answers to forget', 'idempotency.forget'),
    of('sessions to forget', 'session.forget', [1000]),
    of('codes to forget', 'login_code.forget', [100]),
    of('rate counts to forget', 'rate_counts.forget', [60, 2]),
    of('audit: partitions to create', 'installation.ensure_partitions'),
    of('audit: partitions to drop', 'installation.drop_expired_partitions'),
    of('telemetry: partitions to create', 'telemetry.ensure_partitions'),
    of('telemetry: partitions to drop', 'telemetry.drop_expired'),
    of('deliveries: partitions to create', 'delivery.ensure_partitions'),
    of('deliveries: partitions to drop', 'delivery.drop_expired'),
    of('gauges of operations', 'gauges.operations'),
    of('gauges of incidents', 'gauges.incidents'),
    of('keys that expire', 'api_key.find_expiring', [7, null, null, 500]),
    of('spend limits: a batch', 'spend.watched', [0, 20, null]),
    of('cards to charge', 'invoice_payment.take', [50]),
    of('schedules of the month', 'billing_month.unsettled'),
  ];
}

function hourly() {
  const hour = new Date(Math.floor(Date.now() / 3_600_000 - 2) * 3_600_000);
  return [
    named('all', 'an hour of metrics: roll up', 'telemetry.roll_up', [hour]),
    named('all', 'an hour of transfer: meter', 'transfer.meter_hour', [hour, '{"same_region": "0.01"}', '1']),
    named('all', 'upgrades that ended, of one in 500 that run', 'upgrade.take_ended', []),
    named('all', 'invoices: tenants without a final report', 'billing_month.tenants', ['2026-05-01', 0, 100]),
    named('all', 'channels of deleted owners', 'channel.forget', []),
    named('all', 'mails: census', 'mail.census', []),
  ];
}
