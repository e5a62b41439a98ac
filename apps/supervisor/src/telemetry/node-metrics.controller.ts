import { Get, Param, Query, Res } from '@nestjs/common';
import { ApiProduces } from '@nestjs/swagger';
import { NODE_RUNTIMES, type NodeId } from '@libs/domain';
import { Actor, PathId, Reads, Routes, type ActingCaller } from '@libs/http';
import type { Response } from 'express';
import { MetricSeriesQuery } from './dto/metric-series.query.js';
import { LatestMetricsView, MetricSeriesView } from './dto/metrics.view.js';
import { OPEN_METRICS_TYPE } from './open-metrics.js';
import { TelemetryService } from './telemetry.service.js';

@Routes('deployments/:deployment_id', 'Telemetry', {
  node_id: 'A node of the deployment.',
  runtime: { enum: [...NODE_RUNTIMES], description: 'What runs on the node.', 'x-go-name': 'NodeRuntime' },
})
export class NodeMetricsController {
  constructor(private readonly telemetry: TelemetryService) {}

  /** Reads the newest metrics of each node that has reported. */
  @Get('metrics')
  @Reads('deployment:read', [LatestMetricsView])
  latest(@Actor() actor: ActingCaller): Promise<LatestMetricsView[]> {
    return this.telemetry.latest(actor);
  }

  /** The same as OpenMetrics text, for scrapers. */
  @Get('metrics/prometheus')
  @Reads('deployment:read', String)
  @ApiProduces('application/openmetrics-text')
  async exposition(@Actor() actor: ActingCaller, @Res() response: Response): Promise<void> {
    const text = await this.telemetry.exposition(actor);
    response.writeHead(200, { 'content-type': OPEN_METRICS_TYPE }).end(text);
  }

  /** Reads metrics of a runtime of a node over time. */
  @Get('nodes/:node_id/metrics/:runtime')
  @Reads('deployment:read', MetricSeriesView)
  series(
    @Actor() actor: ActingCaller,
    @PathId() nodeId: NodeId,
    @Param('runtime') runtime: string,
    @Query() query: MetricSeriesQuery,
  ): Promise<MetricSeriesView> {
    return this.telemetry.series(actor, nodeId, runtime, query);
  }
}
