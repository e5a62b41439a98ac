import { Injectable } from '@nestjs/common';
import type { ReportSeries } from '@libs/diagnostics';
import { METRIC_NAMES, NODE_RUNTIMES, type DeploymentId, type NodeId } from '@libs/domain';
import { TelemetryRepository, type RuntimePoint } from '@libs/persistence/runtime';

const HOUR_MS = 3_600_000;
/** The steps give a few hundred points per window. */
const WINDOWS = [
  { window: 'day', hours: 24, stepSeconds: 300 },
  { window: 'week', hours: 168, stepSeconds: 3_600 },
] as const;

type Key = Pick<ReportSeries, 'node_id' | 'runtime' | 'window'>;
type WindowPoint = RuntimePoint & Key;

/** Metrics of the last day and the last week, for charts. */
@Injectable()
export class SnapshotSeries {
  constructor(private readonly telemetry: TelemetryRepository) {}

  /** Returns the series in the order of the nodes, for each runtime with values. Runs one query for each window. */
  async of(deploymentId: DeploymentId, nodeIds: readonly NodeId[], nowMs: number): Promise<ReportSeries[]> {
    const all: WindowPoint[] = [];
    for (const { window, hours, stepSeconds } of WINDOWS) {
      const [from, to] = [new Date(nowMs - hours * HOUR_MS), new Date(nowMs)];
      const points = await this.telemetry.seriesOfNodes(deploymentId, nodeIds, { from, to, stepSeconds });
      all.push(...points.map((point) => ({ ...point, window })));
    }
    return keysOf(nodeIds).flatMap((key) => toSeries(key, all.filter(isOf(key))));
  }
}

const keysOf = (nodeIds: readonly NodeId[]): Key[] =>
  nodeIds.flatMap((node_id) =>
    NODE_RUNTIMES.flatMap((runtime) => WINDOWS.map(({ window }) => ({ node_id, runtime, window }))),
  );

const isOf =
  (key: Key) =>
  (point: WindowPoint): boolean =>
    point.node_id === key.node_id && point.runtime === key.runtime && point.window === key.window;

/** Returns an empty list without points. */
function toSeries(key: Key, points: readonly WindowPoint[]): ReportSeries[] {
  if (points.length === 0) return [];
  const names = METRIC_NAMES.filter((name) => points.some((point) => point[name] !== null));
  const values = Object.fromEntries(names.map((name) => [name, points.map((point) => point[name])]));
  return [{ ...key, at: points.map(({ at }) => at.getTime() / 1000), values }];
}
