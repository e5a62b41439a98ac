import { Get, Query } from '@nestjs/common';
import type { NodeId } from '@libs/domain';
import { Actor, Lists, ListQuery, PathId, Routes, type ActingCaller, type Page } from '@libs/http';
import { HeartbeatView } from './dto/heartbeat.view.js';
import { TelemetryService } from './telemetry.service.js';

@Routes('deployments/:deployment_id', 'Telemetry', { node_id: 'A node of the deployment.' })
export class HeartbeatsController {
  constructor(private readonly telemetry: TelemetryService) {}

  /** Lists the reports of the nodes, newest first, one item for each node and minute. */
  @Get('heartbeats')
  @Lists('deployment:read', HeartbeatView)
  list(@Actor() actor: ActingCaller, @Query() query: ListQuery): Promise<Page<HeartbeatView>> {
    return this.telemetry.heartbeats(actor, query);
  }

  /** Lists the reports of the node, newest first, one item for each minute. */
  @Get('nodes/:node_id/heartbeats')
  @Lists('deployment:read', HeartbeatView)
  listOfNode(
    @Actor() actor: ActingCaller,
    @PathId() nodeId: NodeId,
    @Query() query: ListQuery,
  ): Promise<Page<HeartbeatView>> {
    return this.telemetry.heartbeatsOfNode(actor, nodeId, query);
  }
}
