import type { ProbedAddress, ProcessFacts, RuntimeReport } from '@libs/domain';
import { bytesText, secondsText } from '../quantity.js';
import type { ReportNode, SnapshotData } from '../snapshot-data.js';
import { markup, type Markup } from './markup.js';
import { facts, folded, moment, preformatted, table, type Cell } from './tables.js';

type Diagnostics = NonNullable<ReportNode['told']>;

/** Each node: its data in the database, and its own report. */
export const nodesSection = ({ nodes }: SnapshotData): Markup =>
  markup`<section id="nodes" aria-labelledby="nodes-title">
    <h2 id="nodes-title">Nodes</h2>
    ${nodes.map((node) => nodeCard(node))}
  </section>`;

function nodeCard(node: ReportNode): Markup {
  const { told } = node;
  const alert =
    told === null
      ? markup`<p class="alert">The node sent no report: ${node.missing}. This page shows stored data.</p>`
      : null;
  return markup`<article class="card" id="node-${node.id}">
    <h3>${node.name} <small>${node.role}, ${node.driver} ${node.version}, ${node.status}</small></h3>
    ${alert}
    <div class="columns">${placeFacts(node)}${told && machineTable(told)}${told && versionsTable(told)}${gauges(node)}</div>
    ${runtimesTable(node.runtimes)}${told && details(told)}
  </article>`;
}

const placeFacts = (node: ReportNode): Markup =>
  facts('Location and status', [
    ['Id', node.id],
    ['Size', node.variant],
    ['Zone', node.zone],
    ['Memory', node.memory_mib === null ? null : `${node.memory_mib} MiB`],
    ['Storage', `${node.storage_size} GiB`],
    ['Reason', node.status_reason],
    ['Last heartbeat', moment(node.last_seen_at)],
    ['Unreachable since', moment(node.unreachable_since)],
    ['Document', `applied ${node.observed_generation}, newest ${node.wanted_generation ?? '–'}`],
    ['Minutes with heartbeats in a day', node.minutes_heard],
    ['Longest gap of heartbeats', node.longest_gap_seconds === null ? null : secondsText(node.longest_gap_seconds)],
    ['Log lines in a day', `${node.errors} errors, ${node.warnings} warnings`],
    ['Data in the archive', node.data_file],
  ]);

const machineTable = ({ machine, taken_at: takenAt, data }: Diagnostics): Markup =>
  facts('Machine', [
    ['Reported at', moment(takenAt)],
    ['Cores', machine.cpus],
    ['Load', machine.load.map((value) => value.toFixed(2)).join(', ')],
    ['Memory', `${bytesText(machine.memory_free_bytes)} free of ${bytesText(machine.memory_total_bytes)}`],
    ['Volume', volumeText(machine.disk_free_bytes, machine.disk_total_bytes)],
    ['Uptime', secondsText(machine.uptime_seconds)],
    [
      'Clock',
      `${Math.abs(machine.clock_offset_ms)} ms ${machine.clock_offset_ms < 0 ? 'ahead of' : 'behind'} the server`,
    ],
    ['Data', `${bytesText(data.bytes)} in ${data.files} files`],
  ]);

const volumeText = (free: number | null, total: number | null): string | null =>
  free === null || total === null ? null : `${bytesText(free)} free of ${bytesText(total)}`;

const versionsTable = ({ versions, gate, cluster, document }: Diagnostics): Markup =>
  facts('Versions and cluster', [
    ['Agent', versions.agent],
    ['Broker', `${versions.broker_driver} ${versions.broker} (requested ${versions.broker_wanted})`],
    ['Node.js', versions.node_js],
    ['System', `${versions.os} ${versions.kernel}, ${versions.arch}`],
    ['Gate', `${gate.mode}, generation ${gate.generation}, ${gate.rules.length} rules`],
    ['Cluster', `node ${cluster.ordinal} of ${cluster.size}`],
    ['Desired state', `${document.want}, generation ${document.wanted.generation}`],
    ['Observed state', `generation ${document.observed.generation}`],
  ]);

function gauges({ gauges: told }: ReportNode): Markup | null {
  const entries = Object.entries(told).map(([name, value]): [string, Cell] => [
    name.replaceAll('_', ' '),
    name.endsWith('_bytes') || name.startsWith('bytes_') ? bytesText(value) : Math.round(value * 100) / 100,
  ]);
  return entries.length === 0 ? null : facts('Gauges', entries);
}

const runtimesTable = (runtimes: readonly RuntimeReport[]): Markup =>
  table(
    'Runtimes',
    ['Runtime', 'Status', 'Version', 'Started', 'Restarts', 'Last error'],
    runtimes.map((one) => [one.runtime, one.status, one.version, moment(one.started_at), one.restarts, one.last_error]),
  );

function details(told: Diagnostics): Markup {
  const { cluster, ports, processes, data, config, environment, gate, failures } = told;
  const addresses = [...ports, ...(cluster.leader ? [cluster.leader] : []), ...cluster.peers];
  return markup`
    ${folded(`Ports and peers (${addresses.length})`, addressTable(addresses))}
    ${folded('Processes', processTable(processes))}
    ${folded(`Configuration of the node (id ${config.id}, version ${config.version})`, preformatted(config.values))}
    ${folded(`Access rules at the gate (${gate.rules.length})`, preformatted(gate.rules))}
    ${folded('Environment of the agent', preformatted(environment))}
    ${folded(`Files of the data directory (${data.files})`, fileTable(data.entries))}
    ${failures.length > 0 ? folded(`Missing data (${failures.length})`, preformatted(failures)) : null}`;
}

const addressTable = (addresses: readonly ProbedAddress[]): Markup =>
  table(
    'Addresses that the node tested',
    ['Name', 'Address', 'Accepts connections'],
    addresses.map(({ name, address, port, answers }) => [name, `${address}:${port}`, answers ? 'yes' : 'no']),
  );

const processTable = (processes: Record<string, ProcessFacts>): Markup =>
  table(
    'Processes',
    ['Process', 'Pid', 'Started', 'Memory', 'CPU', 'Threads', 'Open files'],
    Object.entries(processes).map(([name, one]) => [
      name,
      one.pid,
      moment(one.started_at),
      one.rss_bytes === null ? null : bytesText(one.rss_bytes),
      one.cpu_seconds === null ? null : secondsText(one.cpu_seconds),
      one.threads,
      one.open_files === null ? null : `${one.open_files} of ${one.open_files_limit ?? '–'}`,
    ]),
  );

const fileTable = (entries: Diagnostics['data']['entries']): Markup =>
  table(
    'Files (a large directory is not complete)',
    ['Path', 'Size'],
    entries.map(({ path, bytes }) => [path, bytesText(bytes)]),
  );
