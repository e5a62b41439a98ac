import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { NodeId } from '@libs/domain';
import {
  Actor,
  OfDeployment,
  OfTheDeployment,
  PageQuery,
  PathId,
  RequirePermission,
  ReturnsPageOf,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { HeartbeatView } from './dto/heartbeat.view.js';
import { TelemetryService } from './telemetry.service.js';

@ApiTags('Telemetry')
@Controller('deployments/:deployment_id')
export class HeartbeatsController {
  constructor(private readonly telemetry: TelemetryService) {}

  /** Lists the reports of the nodes, newest first, one item for each node and minute. */
  @Get('heartbeats')
  @RequirePermission('deployment:read')
  @OfDeployment()
  @ReturnsPageOf(HeartbeatView)
  list(@Actor() actor: ActingCaller, @Query() query: PageQuery): Promise<Page<HeartbeatView>> {
    return this.telemetry.heartbeats(actor, query);
  }

  /** Lists the reports of the node, newest first, one item for each minute. */
  @Get('nodes/:node_id/heartbeats')
  @RequirePermission('deployment:read')
  @OfTheDeployment('node', 'A node of the deployment.')
  @ReturnsPageOf(HeartbeatView)
  listOfNode(
    @Actor() actor: ActingCaller,
    @PathId('node_id') nodeId: NodeId,
    @Query() query: PageQuery,
  ): Promise<Page<HeartbeatView>> {
    return this.telemetry.heartbeatsOfNode(actor, nodeId, query);
  }
}
