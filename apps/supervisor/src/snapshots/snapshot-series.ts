import { Injectable } from '@nestjs/common';
import type { ReportSeries } from '@libs/diagnostics';
import { METRIC_NAMES, NODE_RUNTIMES, type NodeRuntime } from '@libs/domain';
import { Database } from '@libs/persistence';
import { TelemetryRepository, type MetricPoint } from '@libs/persistence/runtime';

const HOUR_MS = 3_600_000;
/** What is shown of each window: a few hundred points. */
const WINDOWS = [
  { window: 'day', hours: 24, stepSeconds: 300 },
  { window: 'week', hours: 168, stepSeconds: 3_600 },
] as const;

/** Metrics of the last day and the last week, as charts show them. */
@Injectable()
export class SnapshotSeries {
  private readonly telemetry: TelemetryRepository;

  constructor(database: Database) {
    this.telemetry = new TelemetryRepository(database);
  }

  /** Of all runtimes of a node that told something. */
  async of(deploymentId: number, nodeId: number, nowMs: number): Promise<ReportSeries[]> {
    const found: ReportSeries[] = [];
    for (const runtime of NODE_RUNTIMES)
      for (const { window, hours, stepSeconds } of WINDOWS) {
        const [from, to] = [new Date(nowMs - hours * HOUR_MS), new Date(nowMs)];
        const points = await this.telemetry.series({ deploymentId, nodeId, runtime, from, to, stepSeconds });
        if (points.length > 0) found.push(toSeries(nodeId, runtime, window, points));
      }
    return found;
  }
}

function toSeries(
  nodeId: number,
  runtime: NodeRuntime,
  window: ReportSeries['window'],
  points: readonly MetricPoint[],
): ReportSeries {
  const told = METRIC_NAMES.filter((name) => points.some((point) => point[name] !== null));
  return {
    ...{ node_id: nodeId, runtime, window },
    at: points.map(({ at }) => at.getTime() / 1000),
    values: Object.fromEntries(told.map((name) => [name, points.map((point) => point[name])])),
  };
}
