import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { ROOT } from '../architecture/sources/sources.js';
import { run, type Run } from './programs.js';

export const CHART = join(ROOT, 'charts/landlord');

/** An object of Kubernetes. The tests read only a few members. */
export interface Manifest {
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec: any;
}

/** A container that the chart runs, with the labels and the volumes of its pod. */
export interface Workload {
  name: string;
  kind: string;
  pod: any;
  container: any;
  labels: Record<string, string>;
  environment: Record<string, string>;
}

/** A Helm that Go built says nothing of the release of Kubernetes. */
export function template(helm: string, values: readonly string[], release = '1.37'): Run {
  return run(helm, ['template', 'landlord', CHART, '--kube-version', release, ...values]);
}

export function manifestsIn(output: string): Manifest[] {
  return parseAllDocuments(output)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

export function workloadsIn(manifests: readonly Manifest[]): Workload[] {
  return manifests
    .filter(({ spec }) => spec?.template)
    .map(({ kind, metadata, spec }) => {
      const { spec: pod, metadata: podMetadata } = spec.template;
      const [container] = pod.containers;
      const pairs = container.env.map(({ name, value }: { name: string; value: string }) => [name, value]);
      const environment = Object.fromEntries(pairs) as Record<string, string>;
      return { name: metadata.name, kind, pod, container, labels: podMetadata.labels, environment };
    });
}

/** The labels by which an object selects pods. Null: it selects none. */
export function selectorOf({ kind, spec }: Manifest): Record<string, string> | null {
  if (kind === 'Service') return spec.selector;
  if (kind === 'PodDisruptionBudget') return spec.selector.matchLabels;
  return kind === 'NetworkPolicy' ? spec.podSelector.matchLabels : null;
}

/** Whether a selector has labels and all of them are the labels of the pod. */
export const selects = (selector: Record<string, string>, { labels }: Workload): boolean =>
  Object.keys(selector).length > 0 && Object.entries(selector).every(([key, value]) => labels[key] === value);
