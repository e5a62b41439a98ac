import { METRIC_NAMES, METRICS, type MetricName, type DeploymentId } from '@libs/domain';
import type { LatestMetricsView } from './dto/metrics.view.js';

export const OPEN_METRICS_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

type Labels = Record<string, string | number>;

/**
 * Returns the newest metrics of a deployment's nodes as OpenMetrics 1.0. A node without recent reports has only `up` 0:
 * old values without a time would look like current ones.
 */
export function openMetricsText(deploymentId: DeploymentId, latest: readonly LatestMetricsView[]): string {
  const labels = ({ node_id, node, runtime }: LatestMetricsView): Labels => ({
    deployment_id: deploymentId,
    node_id,
    node,
    runtime,
  });
  const up = family('up', 'gauge', 'Whether the node was heard of lately.', [
    ...latest.map((view) => sample('up', labels(view), view.reachable ? 1 : 0)),
  ]);
  const heard = latest.filter(({ reachable }) => reachable);
  const families = METRIC_NAMES.map((name) => {
    const reported = heard.filter(({ metrics }) => metrics[name] !== undefined);
    const lines = reported.map((view) => sample(sampleName(name), labels(view), view.metrics[name] ?? 0));
    return lines.length === 0 ? '' : family(name, METRICS[name].kind, METRICS[name].help, lines);
  });
  return `${[up, ...families].join('')}# EOF\n`;
}

/** The names of counter samples end with `_total`; the name of their family does not. */
const sampleName = (name: MetricName): string => (METRICS[name].kind === 'counter' ? `${name}_total` : name);

function family(name: string, kind: string, help: string, samples: readonly string[]): string {
  return [`# TYPE landlord_node_${name} ${kind}`, `# HELP landlord_node_${name} ${escaped(help)}`, ...samples, ''].join(
    '\n',
  );
}

function sample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, of]) => `${label}="${escaped(String(of))}"`);
  return `landlord_node_${name}{${pairs.join(',')}} ${value}`;
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
