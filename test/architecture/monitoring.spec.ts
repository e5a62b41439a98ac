import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skippedSuite } from '@libs/testing';
import { parse as parseYaml } from 'yaml';
import { metricsOfApps, metricsOfNodes } from './sources/exposed-metrics.js';
import { faultsOf, labelsOfResult, type KnownMetrics } from './sources/promql.js';
import { blocksOf } from './sources/blocks.js';
import { ROOT } from './sources/sources.js';

interface Rule {
  alert?: string;
  record?: string;
  expr: string;
  for?: string;
  labels?: { severity?: string };
  annotations?: { summary?: string; description?: string };
}
interface ScrapeJob {
  job_name: string;
  static_configs: { labels?: Record<string, string> }[];
}
interface Panel {
  title: string;
  type: string;
  description?: string;
  datasource?: { uid: string };
  fieldConfig?: { defaults: { unit?: string } };
  targets?: { expr: string; legendFormat: string; datasource: { uid: string } }[];
}
interface Variable {
  name: string;
  type: string;
  definition?: string;
  datasource?: { uid: string };
}
interface Dashboard {
  schemaVersion: number;
  panels: Panel[];
  templating: { list: Variable[] };
}

const FOLDER = 'docs/monitoring';
const read = (file: string): string => readFileSync(join(ROOT, FOLDER, file), 'utf8');
const readme = read('README.md');
const { groups } = parseYaml(read('alerts.yml')) as { groups: { name: string; rules: Rule[] }[] };
const dashboard = JSON.parse(read('dashboard.json')) as Dashboard;
const { text: scrapeText = '' } = blocksOf(readme).find(({ language }) => language === 'yaml') ?? {};
const { scrape_configs: jobs } = parseYaml(scrapeText) as { scrape_configs: ScrapeJob[] };

const rules = groups.flatMap((group) => group.rules);
const alerts = rules.filter(({ alert }) => alert !== undefined);
const panels = dashboard.panels.filter(({ type }) => type !== 'row');
const targets = panels.flatMap(({ title, targets: ofPanel = [] }) =>
  ofPanel.map(({ expr, legendFormat }) => ({ title, expr: withoutVariables(expr), legendFormat })),
);
/** Variables that Grafana itself replaces. */
const OF_GRAFANA = ['__rate_interval', '__all'];
const SEVERITIES = ['critical', 'warning', 'info'];
/** Units of Grafana that the dashboard uses. */
const UNITS = ['short', 'mps', 'cps', 'Bps', 'bytes', 'percent', 'bool_on_off'];

let known: KnownMetrics;

beforeAll(async () => {
  known = await knownMetrics();
});

describe('The alert rules', () => {
  it.each(rules.map((rule) => [rule.alert ?? rule.record, rule.expr]))(
    '%s: the expression is PromQL over metrics and labels that Landlord has',
    (_name, expr) => {
      expect(faultsOf(expr, known)).toEqual([]);
    },
  );

  it.each(alerts.map((rule) => [rule.alert ?? '', rule] as const))(
    '%s has a severity, a duration, a summary and a description with existing labels',
    (_name, rule) => {
      const { annotations: { summary, description } = {} } = rule;
      const used = [...`${summary} ${description}`.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label ?? '');
      const labels = labelsOfResult(rule.expr, known);

      expect(SEVERITIES).toContain(rule.labels?.severity);
      expect(rule.for).toMatch(/^\d+[smh]$/);
      expect([summary, description]).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/\.$/)]);
      expect(used.filter((label) => !labels.has(label))).toEqual([]);
    },
  );

  it('have different names, and the page explains each alert', () => {
    const names = alerts.map(({ alert }) => alert ?? '');
    const explained = [...readme.matchAll(/^\| `(Landlord\w+)` \|/gm)].map(([, name]) => name);

    expect(new Set(names).size).toBe(names.length);
    expect(explained).toEqual(names);
  });

  it('select only jobs of the scrape configuration on the page', () => {
    const text = rules.map(({ expr }) => expr).join('\n');
    const selected = [...text.matchAll(/job=~?"([^"]+)"/g)].flatMap(([, names = '']) => names.split('|'));

    expect([...new Set(selected)].sort()).toEqual(jobs.map(({ job_name }) => job_name).sort());
  });
});

describe('The dashboard', () => {
  it.each(targets.map(({ title, expr }) => [title, expr]))(
    '%s: the expression is PromQL over metrics and labels that Landlord has',
    (_title, expr) => {
      expect(faultsOf(expr, known)).toEqual([]);
    },
  );

  it('shows in legends only labels that the expressions have', () => {
    const wrong = targets.filter(({ expr, legendFormat }) =>
      [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].some(([, label = '']) => !labelsOfResult(expr, known).has(label)),
    );

    expect(wrong).toEqual([]);
  });

  it('has a panel for each metric of a node that operators watch', () => {
    const text = targets.map(({ expr }) => expr).join('\n');
    const unwatched = ['streams', 'topics', 'partitions', 'segments', 'consumer_groups'];
    const missing = [...metricsOfNodes().keys()].filter((name) => !new RegExp(`\\b${name}\\b`).test(text));

    expect(missing).toEqual(unwatched.map((name) => `landlord_node_${name}`));
  });

  it('gives each panel a description, a unit and queries', () => {
    const incomplete = panels.filter(
      ({ description, fieldConfig, targets: ofPanel = [] }) =>
        !description || !UNITS.includes(fieldConfig?.defaults.unit ?? '') || ofPanel.length === 0,
    );

    expect(panels.length).toBeGreaterThan(15);
    expect(incomplete.map(({ title }) => title)).toEqual([]);
  });

  it('reads from the data source that the reader selects', () => {
    const queried = dashboard.templating.list.filter(({ type }) => type === 'query');
    const sources = [...panels, ...queried, ...panels.flatMap((panel) => panel.targets ?? [])];

    expect(new Set(sources.map(({ datasource }) => datasource?.uid))).toEqual(new Set(['${datasource}']));
    expect(dashboard.templating.list[0]).toMatchObject({ name: 'datasource', type: 'datasource', query: 'prometheus' });
    expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(40);
  });

  it('declares its variables, which list existing labels', () => {
    const declared = dashboard.templating.list.map(({ name }) => name);
    const used = [...read('dashboard.json').matchAll(/\$\{?(\w+)/g)].map(([, name]) => name ?? '');
    const queries = dashboard.templating.list.flatMap(({ definition }) => definition ?? []);

    expect([...new Set(used)].filter((name) => ![...declared, ...OF_GRAFANA].includes(name))).toEqual([]);
    expect(queries).toHaveLength(2);
    for (const query of queries) {
      const [, selector = '', label = ''] = /^label_values\((.+), (\w+)\)$/.exec(query) ?? [];
      expect(faultsOf(`group by (${label}) (${selector})`, known)).toEqual([]);
    }
  });
});

describe('The check of expressions', () => {
  it.each([
    ['sum by (node (landlord_node_up)', /^syntax error/],
    ['landlord_node_up{node="1}', /^syntax error/],
    ['rat(landlord_node_up[5m])', /^syntax error/],
    ['landlord_node_messages_in > 0', /^unknown metric landlord_node_messages_in$/],
    ['rate(landlord_node_messages_total[5m])', /^unknown metric landlord_node_messages_total$/],
    ['landlord_incident', /^unknown metric landlord_incident$/],
    ['{kind="x"}', /^a selector names no metric$/],
    ['landlord_incidents{node="1"}', /^unknown label node$/],
    ['sum by (kind) (landlord_node_up)', /^unknown label kind$/],
    ['landlord_node_up * on (kind) landlord_node_clients', /^unknown label kind$/],
  ])('finds the fault in %s', (expr, fault) => {
    expect(faultsOf(expr, known)).toEqual(expect.arrayContaining([expect.stringMatching(fault)]));
  });

  it('knows the names and labels of nodes and of both apps', () => {
    expect([...(known.get('landlord_node_messages_in_total') ?? [])]).toEqual(
      expect.arrayContaining(['deployment_id', 'node_id', 'node', 'runtime']),
    );
    for (const name of ['landlord_mails', 'landlord_nodes', 'landlord_http_request_seconds_bucket'])
      expect(known.has(name)).toBe(true);
  });
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
const withPromtool = hasPromtool
  ? describe
  : skippedSuite('promtool is not on the PATH', 'Install Prometheus, for example the Debian package prometheus');

withPromtool('promtool', () => {
  let directory: string;

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'landlord-monitoring-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const promtool = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
    return status === 0 ? 'passed' : `${stdout}${stderr}`;
  };

  it('accepts the alert rules', () => {
    expect(promtool('check', 'rules', join(ROOT, FOLDER, 'alerts.yml'))).toBe('passed');
  });

  it('accepts the expressions of the dashboard, and refuses a wrong type', () => {
    const check = (expressions: string[]): string => {
      const file = join(directory, 'rules.yml');
      const records = expressions.map((expr, index) => ({ record: `panel_${index}`, expr }));
      writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: records }] }));
      return promtool('check', 'rules', file);
    };

    expect(check(targets.map(({ expr }) => expr))).toBe('passed');
    expect(check(['rate(landlord_node_up)'])).toContain('expected type range vector');
  });

  it('finds that the alerts fire when they should', () => {
    expect(promtool('test', 'rules', join(ROOT, FOLDER, 'alerts.test.yml'))).toBe('passed');
  });
});

/** All metrics of nodes and apps, the records of the rules, and `up`, with the labels that Prometheus adds. */
async function knownMetrics(): Promise<KnownMetrics> {
  const ofTargets = jobs.flatMap(({ static_configs: configs }) =>
    configs.flatMap(({ labels }) => Object.keys(labels ?? {})),
  );
  const exposed = new Map([...metricsOfNodes(), ...(await metricsOfApps())]);
  const added = new Map<string, ReadonlySet<string>>([['up', new Set(ofTargets)]]);
  for (const [name, labels] of exposed) added.set(name, labels);
  const all = new Map([...added].map(([name, labels]) => [name, new Set([...labels, 'job', 'instance'])]));
  for (const { record, expr } of rules) if (record !== undefined) all.set(record, labelsOfResult(expr, all));
  return all;
}

/** The expression as Prometheus receives it. The variables in selectors are text within quotes. */
function withoutVariables(expr: string): string {
  return expr.replaceAll('$__rate_interval', '5m');
}
