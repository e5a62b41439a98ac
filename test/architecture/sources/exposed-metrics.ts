import { METRIC_NAMES, type MetricValues, type NodeId } from '@libs/domain';
import { Metrics, type GaugeSpec } from '@libs/http';
import { openMetricsText } from '../../../apps/supervisor/src/telemetry/open-metrics.js';
import { appModules } from './apps.js';
import type { KnownMetrics } from './promql.js';
import { providersOf } from './route-walk.mjs';

type Provider = new (...args: unknown[]) => object;

/** The metrics of a deployment's nodes, from the real exposition of a node that reports everything. */
export function metricsOfNodes(): KnownMetrics {
  const metrics = Object.fromEntries(METRIC_NAMES.map((name) => [name, 1])) as MetricValues;
  const view = { node_id: 1 as NodeId, node: 'node-1', runtime: 'broker', at: '', reachable: true, metrics } as const;
  return samplesOf(openMetricsText(1, [view]));
}

/** The metrics of `/metrics` of both apps: all providers that use the metrics are created, and the text is rendered. */
export async function metricsOfApps(): Promise<KnownMetrics> {
  const all = new Map<string, ReadonlySet<string>>();
  for (const appModule of appModules()) {
    const metrics = new SampledMetrics();
    metrics.observeRequest('GET', '/', 200, 1);
    for (const provider of providersOf(appModule) as Set<Provider>) {
      const parameters = (Reflect.getMetadata('design:paramtypes', provider) ?? []) as unknown[];
      if (!parameters.includes(Metrics)) continue;
      new provider(...parameters.map((parameter) => (parameter === Metrics ? metrics : {})));
    }
    for (const [name, labels] of samplesOf(await metrics.render())) all.set(name, labels);
  }
  return all;
}

/** Each gauge and counter has one sample with all of its labels, without a database. */
class SampledMetrics extends Metrics {
  override gauge(spec: GaugeSpec): void {
    super.gauge({ ...spec, read: async () => [{ labels: sampled(spec.labels), value: 1 }] });
  }

  override counter<Label extends string>(name: string, help: string, labels: readonly Label[]) {
    const add = super.counter(name, help, labels);
    add(sampled(labels));
    return add;
  }
}

const sampled = <Label extends string>(labels: readonly Label[]): Record<Label, string> =>
  Object.fromEntries(labels.map((label) => [label, 'x'])) as Record<Label, string>;

/** Names and labels of all samples in an exposition. */
function samplesOf(exposition: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const line of exposition.split('\n').filter((text) => text !== '' && !text.startsWith('#'))) {
    const [, name = '', labels = ''] = /^([a-z_]\w*)(?:\{(.*)\})? /i.exec(line) ?? [];
    const names = [...labels.matchAll(/([a-z_]\w*)="/gi)].map(([, label]) => label ?? '');
    found.set(name, new Set([...(found.get(name) ?? []), ...names]));
  }
  return found;
}
