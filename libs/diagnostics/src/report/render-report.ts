import { createHash } from 'node:crypto';
import { METRIC_NAMES, METRICS, LOG_RUNTIMES } from '@libs/domain';
import type { Assessment } from '../checks/assess.js';
import type { SnapshotData } from '../snapshot-data.js';
import { chartLibrary } from './chart-library.js';
import { checksSection, verdictBanner } from './checks-section.js';
import { configSection, historySection } from './history-section.js';
import { embeddedJson, markup, Markup } from './markup.js';
import { nodesSection } from './nodes-section.js';
import { REPORT_SCRIPT } from './report-script.js';
import { REPORT_STYLE } from './report-style.js';
import { moment } from './tables.js';

const SECTIONS = ['checks', 'charts', 'nodes', 'configuration', 'history', 'logs'] as const;

/**
 * The report as one self-contained page. It has no address that a browser would load, and its policy forbids loading. Every
 * text of nodes and users is escaped. Pure, except that it reads the chart library.
 */
export function renderReport(data: SnapshotData, assessment: Assessment): string {
  const { script, style } = chartLibrary();
  const scripts = [script, REPORT_SCRIPT];
  const body = [checksSection(assessment), chartsSection(), nodesSection(data)];
  body.push(configSection(data), historySection(data), logsSection(data));
  return markup`<!doctype html>
<html lang="en">
${pageHead(data, scripts, [style, REPORT_STYLE])}
<body>
${pageHeader(data, assessment)}
<main>
${body}
</main>
<footer>Created by Landlord. The files in data/ contain the data of this page as JSON.</footer>
<script type="application/json" id="data">${new Markup(embeddedJson(pageData(data)))}</script>
${scripts.map((one) => new Markup(`<script>${one}</script>`))}
</body>
</html>
`.text;
}

/** The policy of the page allows only its own content. */
function pageHead({ deployment }: SnapshotData, scripts: readonly string[], styles: readonly string[]): Markup {
  const policy = [
    `default-src 'none'`,
    `script-src ${scripts.map(hashOf).join(' ')}`,
    `style-src ${styles.map(hashOf).join(' ')}`,
    `base-uri 'none'; form-action 'none'`,
  ].join('; ');
  return markup`<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${deployment.name}: diagnostic snapshot</title>
${styles.map((one) => new Markup(`<style>${one}</style>`))}
</head>`;
}

const pageHeader = ({ deployment, snapshot, nodes }: SnapshotData, assessment: Assessment): Markup => markup`<header>
  <div class="top"><div>
    <h1>${deployment.name}</h1>
    <p class="meta">Diagnostic snapshot ${snapshot.name}, collected ${moment(snapshot.built_at)}.
      ${deployment.cloud} ${deployment.region}, ${nodes.length} × ${deployment.tier}.
      ${snapshot.is_redacted ? 'Secrets are masked.' : 'Secrets are not masked.'}</p>
  </div><button type="button" id="theme" class="needs-script">Dark colours</button></div>
  ${verdictBanner(assessment)}
</header>
<nav aria-label="Parts of the report"><ul>${SECTIONS.map((id) => markup`<li><a href="#${id}">${titleOf(id)}</a></li>`)}</ul></nav>`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const titleOf = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1);

/** The data for the scripts of the page. */
const pageData = ({ nodes, series, logs }: SnapshotData) => ({
  nodes: nodes.map(({ id, name }) => ({ id, name })),
  metrics: METRIC_NAMES.map((name) => ({
    name,
    kind: METRICS[name].kind,
    title: METRICS[name].help.replace(/ since the start of the runtime\.$/, ', a second').replace(/\.$/, ''),
    isBytes: name.includes('bytes'),
  })),
  series,
  logs: logs.map(({ node_id, runtime, lines }) => ({ node_id, runtime, lines })),
});

const chartsSection = (): Markup => markup`<section id="charts" aria-labelledby="charts-title">
  <h2 id="charts-title">Charts</h2>
  <div class="bar needs-script"><button type="button" data-window="day" aria-pressed="true">Last 24 hours</button>
    <button type="button" data-window="week" aria-pressed="false">Last 7 days</button>
    <span class="meta">Drag to zoom in. Double-click to zoom out. Click a name to hide its line. Times are UTC.</span></div>
  <p class="none" id="no-charts">The snapshot has no metrics of this period.</p>
  <div class="charts" id="chart-list"></div>
</section>`;

function logsSection({ nodes, logs }: SnapshotData): Markup {
  const option = (value: string, text: string): Markup => markup`<option value="${value}">${text}</option>`;
  const runtimes = LOG_RUNTIMES.filter((runtime) => logs.some((log) => log.runtime === runtime));
  return markup`<section id="logs" aria-labelledby="logs-title">
  <h2 id="logs-title">Logs</h2>
  <p class="meta">The page shows the last lines of each runtime. The folder logs/ of the archive contains the complete logs. ${storedNote({ nodes, logs })}</p>
  <div class="bar needs-script">
    <label class="wide">Text <input type="search" id="log-text" placeholder="part of the message"></label>
    <label>Level <select id="log-level">${option('', 'all')}${option('info', 'info and above')}${option('warn', 'warn and above')}${option('error', 'error')}</select></label>
    <label>Node <select id="log-node">${option('', 'all')}${nodes.map(({ id, name }) => option(String(id), name))}</select></label>
    <label>Runtime <select id="log-runtime">${option('', 'all')}${runtimes.map((runtime) => option(runtime, runtime))}</select></label>
  </div>
  <p class="meta" id="log-count" role="status"></p>
  <div class="lines needs-script" id="lines" tabindex="0" role="region" aria-label="Log lines. Select a line with the arrow keys"><div class="all" id="all-lines"></div></div>
  <pre id="line" tabindex="0" class="needs-script" aria-label="The selected line">Select a line to read its full text.</pre>
  <noscript><p>Filters and charts need scripts. The folder logs/ of the archive contains the lines.</p></noscript>
</section>`;
}

function storedNote({ nodes, logs }: Pick<SnapshotData, 'nodes' | 'logs'>): string {
  const stored = logs.filter(({ source }) => source === 'database').map(({ node_id: id }) => id);
  const names = nodes.filter(({ id }) => stored.includes(id)).map(({ name }) => name);
  return names.length === 0 ? '' : `Landlord stored the lines of ${names.join(', ')} before the last contact.`;
}
