import { bytesText, secondsText } from '../quantity.js';
import type { ReportConfig, ReportRule, SnapshotData } from '../snapshot-data.js';
import { markup, type Markup } from './markup.js';
import { facts, folded, moment, preformatted, table } from './tables.js';

/** The settings of the deployment: its record, configurations and access rules. */
export const configSection = ({ deployment, configs, access_rules: rules }: SnapshotData): Markup =>
  markup`<section id="configuration" aria-labelledby="configuration-title">
    <h2 id="configuration-title">Configuration</h2>
    <div class="card">${facts('Deployment', [
      ['Id', deployment.id],
      ['Code', deployment.code],
      ['Status', deployment.status],
      ['Reason', deployment.status_reason],
      ['Since', moment(deployment.status_since)],
      ['Cloud', `${deployment.cloud} ${deployment.region}, ${deployment.availability_mode}`],
      ['Size', `${deployment.tier}, ${deployment.storage_size} GiB ${deployment.storage_type}`],
      ['Network', deployment.network_mode],
      ['Credentials since', moment(deployment.credentials_since)],
    ])}</div>
    <div class="card">${rulesTable(rules)}</div>
    <div class="card"><h3>Configurations</h3>${configs.map(configOf)}</div>
  </section>`;

const rulesTable = (rules: readonly ReportRule[]): Markup =>
  table(
    'Access rules',
    ['Name', 'Networks', 'Protocols', 'Expires'],
    rules.map((rule) => [
      rule.name,
      rule.cidr_blocks.join(', '),
      rule.protocols.join(', '),
      moment(rule.valid_to) ?? 'never',
    ]),
  );

const configOf = (config: ReportConfig): Markup =>
  folded(
    `${config.name}, version ${config.version}${config.is_primary ? ', active' : ''} (saved for ${config.runtime_version})`,
    preformatted(config.values),
  );

/** Operations, activities and backups of the deployment. */
export const historySection = ({ operations, activities, backups, nodes }: SnapshotData): Markup =>
  markup`<section id="history" aria-labelledby="history-title">
    <h2 id="history-title">History</h2>
    <div class="card">${table(
      'Operations of the last week',
      ['Operation', 'Id', 'Status', 'Requested', 'Duration', 'Step', 'Reason'],
      operations.map((one) => [
        one.type,
        one.id,
        one.status,
        moment(one.created_at),
        one.finished_at === null
          ? null
          : secondsText((Date.parse(one.finished_at) - Date.parse(one.created_at)) / 1000),
        one.step,
        one.incident?.detail ?? one.reason ?? one.last_error,
      ]),
    )}</div>
    <div class="card">${table(
      'Activities on runtimes',
      ['Activity', 'Runtime', 'Node', 'Status', 'Requested', 'Error'],
      activities.map((one) => [
        one.action,
        one.runtime,
        nodes.find(({ id }) => id === one.node_id)?.name ?? one.node_id,
        one.status,
        moment(one.created_at),
        one.error,
      ]),
    )}</div>
    <div class="card">${table(
      'Backups',
      ['Backup', 'Id', 'Status', 'Size', 'Requested', 'Ended'],
      backups.map((one) => [
        ...[one.name, one.id, one.status, bytesText(one.size_bytes)],
        ...[moment(one.created_at), moment(one.completed_at)],
      ]),
    )}</div>
  </section>`;
