import { Module } from '@nestjs/common';
import { HeartbeatsController } from './heartbeats.controller.js';
import { LogFeed } from './log-feed.js';
import { LogsController } from './logs.controller.js';
import { LogsService } from './logs.service.js';
import { NodeMetricsController } from './node-metrics.controller.js';
import { TelemetryService } from './telemetry.service.js';

/** Telemetry of nodes for callers. */
@Module({
  controllers: [NodeMetricsController, HeartbeatsController, LogsController],
  providers: [TelemetryService, LogsService, LogFeed],
})
export class TelemetryModule {}
