import type { Supervisor } from '@landlord/sdk';
import type { Measure } from './measures.js';

type Point = Supervisor.MetricPointView;
type Series = Pick<Supervisor.MetricSeriesView, 'from' | 'to' | 'step' | 'points'>;
/** Null: nothing was reported. A line has a gap there. */
type Value = number | null;

/** The lines of a chart: the times in seconds, and a list of values of each node. */
export interface Lines {
  /** Start and end of the chart, in seconds. */
  window: readonly [from: number, to: number];
  times: number[];
  values: Value[][];
}

/** The measure of all nodes at common times. */
export function linesOf(nodes: readonly Series[], measure: Measure): Lines {
  const byNode = nodes.map((node) => new Map(valuesOf(node, measure)));
  const times = [...new Set(byNode.flatMap((values) => [...values.keys()]))].sort((one, other) => one - other);
  const [first] = nodes;
  const window = [secondsOf(first?.from ?? ''), secondsOf(first?.to ?? '')] as const;
  return { window, times, values: byNode.map((values) => times.map((time) => values.get(time) ?? null)) };
}

const secondsOf = (time: string): number => Date.parse(time) / 1000;

function valuesOf(node: Series, { metric, isCounter }: Measure): (readonly [number, Value])[] {
  const read = (isCounter ? endedPoints(node) : node.points).map(
    ({ at, metrics }) => [secondsOf(at), metrics[metric] ?? null] as const,
  );
  if (!isCounter) return read;
  return read.map(([time, now], at) => {
    const [before, value = null] = read[at - 1] ?? [time];
    return [time, rate(value, now, time - before)];
  });
}

/** A step that has not ended has counted for a shorter time than the others, so its change would look like a fall. */
const endedPoints = ({ to, step, points }: Series): readonly Point[] =>
  points.filter(({ at }) => secondsOf(at) + step <= secondsOf(to));

/** A counter begins again after a restart of its process. */
function rate(before: Value, now: Value, seconds: number): Value {
  if (before === null || now === null || seconds <= 0 || now < before) return null;
  return (now - before) / seconds;
}

interface Summary {
  min: number;
  max: number;
  last: number;
}

/** Null: the node has reported nothing. */
export function summaryOf(values: readonly Value[]): Summary | null {
  const known = values.filter((value) => value !== null);
  const last = known.at(-1);
  return last === undefined ? null : { min: Math.min(...known), max: Math.max(...known), last };
}
