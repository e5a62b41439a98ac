import type { Supervisor } from '@landlord/sdk';

type Metric = keyof Supervisor.MetricPointView['metrics'];

/** Something to draw. A counter is drawn as its change in a second. */
export interface Measure {
  name: string;
  metric: Metric;
  isCounter: boolean;
  unit: '%' | 'bytes' | 'number' | 'bytes a second' | 'number a second';
}

const gauge = (name: string, metric: Metric, unit: Measure['unit']): Measure => ({
  ...{ name, metric, unit, isCounter: false },
});
const counter = (name: string, metric: Metric, unit: Measure['unit']): Measure => ({
  ...{ name, metric, unit, isCounter: true },
});

export const MEASURES: readonly Measure[] = [
  gauge('CPU', 'cpu_percent', '%'),
  gauge('Memory', 'memory_bytes', 'bytes'),
  gauge('Disk', 'disk_bytes', 'bytes'),
  gauge('Clients', 'clients', 'number'),
  counter('Messages from clients', 'messages_in', 'number a second'),
  counter('Messages to clients', 'messages_out', 'number a second'),
  counter('Bytes from clients', 'bytes_in', 'bytes a second'),
  counter('Bytes to clients', 'bytes_out', 'bytes a second'),
];

const PREFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti'];
const STEP = 1_024;

/** A value with its unit, as short as people say it. */
export function written(value: number, unit: Measure['unit']): string {
  if (unit === '%') return `${rounded(value)} %`;
  const perSecond = unit.endsWith('a second') ? '/s' : '';
  if (unit.startsWith('number')) return `${rounded(value)}${perSecond}`;
  const size = value < 1 ? 0 : Math.min(Math.floor(Math.log2(value) / 10), PREFIXES.length - 1);
  return `${rounded(value / STEP ** size)} ${PREFIXES[size] ?? ''}B${perSecond}`;
}

/** Three digits are enough to compare. */
const rounded = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-GB') : String(Number(value.toPrecision(3)));
