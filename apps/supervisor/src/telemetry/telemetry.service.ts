import { Inject, Injectable } from '@nestjs/common';
import {
  DomainError,
  METRIC_NAMES,
  metricsOf,
  NODE_RUNTIMES,
  validationFailed,
  type MetricValues,
  type NodeRuntime,
  type DeploymentId,
  type NodeId,
} from '@libs/domain';
import { Page, type ActingCaller, type ListQuery } from '@libs/http';
import { TelemetryRepository, type HeartbeatRow, type MetricPoint } from '@libs/persistence/runtime';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import type { HeartbeatView } from './dto/heartbeat.view.js';
import type { MetricSeriesQuery } from './dto/metric-series.query.js';
import type { LatestMetricsView, MetricSeriesView } from './dto/metrics.view.js';
import { openMetricsText } from './open-metrics.js';
import { seriesWindow } from './series-window.js';

/** Heartbeats and metrics of a deployment's nodes. */
@Injectable()
export class TelemetryService {
  constructor(
    private readonly telemetry: TelemetryRepository,
    @Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig,
  ) {}

  async latest({ deployment }: ActingCaller): Promise<LatestMetricsView[]> {
    const rows = await this.telemetry.latest(deployment.id, this.config.NODE_UNREACHABLE_SECONDS);
    return rows.flatMap(({ node_id, name, last_seen_at, is_reachable, gauges }) =>
      NODE_RUNTIMES.map((runtime) => ({
        node_id,
        node: name,
        runtime,
        at: last_seen_at.toISOString(),
        reachable: is_reachable,
        metrics: metricsOf(gauges, runtime),
        // A node without connectors reports nothing about them.
      })).filter(({ runtime, metrics }) => runtime === 'broker' || Object.keys(metrics).length > 0),
    );
  }

  async exposition(actor: ActingCaller): Promise<string> {
    return openMetricsText(actor.deployment.id, await this.latest(actor));
  }

  /** @throws DomainError node_not_found, validation_failed */
  async series(
    { deployment }: ActingCaller,
    nodeId: NodeId,
    runtime: string,
    query: MetricSeriesQuery,
  ): Promise<MetricSeriesView> {
    const window = seriesWindow(query, Date.now());
    const request = { deploymentId: deployment.id, nodeId, runtime: readRuntime(runtime), ...window };
    await this.requireNode(deployment.id, nodeId);
    const points = await this.telemetry.series(request);
    return {
      node_id: nodeId,
      runtime,
      from: window.from.toISOString(),
      to: window.to.toISOString(),
      step: window.stepSeconds,
      points: points.map((point) => ({ at: point.at.toISOString(), metrics: roundedMetrics(point) })),
    };
  }

  async heartbeats({ deployment }: ActingCaller, query: ListQuery): Promise<Page<HeartbeatView>> {
    return Page.of(await this.telemetry.heartbeats(deployment.id, null, query), toHeartbeat, query);
  }

  /** @throws DomainError node_not_found */
  async heartbeatsOfNode({ deployment }: ActingCaller, nodeId: NodeId, query: ListQuery): Promise<Page<HeartbeatView>> {
    await this.requireNode(deployment.id, nodeId);
    return Page.of(await this.telemetry.heartbeats(deployment.id, nodeId, query), toHeartbeat, query);
  }

  private async requireNode(deploymentId: DeploymentId, nodeId: NodeId): Promise<void> {
    if (!(await this.telemetry.hasNode(deploymentId, nodeId)))
      throw new DomainError('node_not_found', 'The deployment has no such node.');
  }
}

function readRuntime(text: string): NodeRuntime {
  if ((NODE_RUNTIMES as readonly string[]).includes(text)) return text as NodeRuntime;
  throw validationFailed([{ path: '/runtime', code: 'is_in', reason: `must be ${NODE_RUNTIMES.join(' or ')}` }]);
}

/** Averages are not more precise than three decimals. */
const roundedMetrics = (point: MetricPoint): MetricValues =>
  Object.fromEntries(
    METRIC_NAMES.flatMap((name) => {
      const value = point[name];
      return value === null ? [] : [[name, Math.round(value * 1000) / 1000]];
    }),
  );

const toHeartbeat = ({ node_id, last_at, beats, status, agent_version }: HeartbeatRow): HeartbeatView => ({
  node_id,
  at: last_at.toISOString(),
  count: beats,
  status,
  agent_version,
});
