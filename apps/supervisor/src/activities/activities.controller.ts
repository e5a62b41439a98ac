import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { NODE_RUNTIMES, type Written } from '@libs/domain';
import { Accepts, Actor, FailsWith, Lists, Routes, Writes, type ActingCaller, type Page } from '@libs/http';
import { AcceptedOperationView } from '../platform/index.js';
import { ActivitiesService } from './activities.service.js';
import { ActivitiesQuery } from './dto/activities.query.js';
import { ActivityView } from './dto/activity.view.js';
import { RequestActivityDto } from './dto/request-activity.dto.js';

@Routes('deployments/:deployment_id/activities', 'Activities', {
  runtime: { enum: [...NODE_RUNTIMES], description: 'Which runtime of the nodes.', 'x-go-name': 'NodeRuntime' },
  action: 'start, stop, restart or reconfigure:{config_id}',
})
export class ActivitiesController {
  constructor(private readonly activities: ActivitiesService) {}

  /** Lists the actions on the runtimes of the nodes, newest first, one entry for each node. */
  @Get()
  @Lists('deployment:read', ActivityView)
  list(@Actor() actor: ActingCaller, @Query() query: ActivitiesQuery): Promise<Page<ActivityView>> {
    return this.activities.list(actor, query);
  }

  /**
   * Starts, stops, restarts or reconfigures the runtime of all nodes, or of some nodes. Nodes change one at a time, and
   * the next node waits until the node before is healthy. A node that does not start with a new configuration returns
   * to the old configuration.
   */
  @Post(':runtime/:action')
  @Writes('deployment:manage', 'activity_requested')
  @Accepts(AcceptedOperationView, 'deployment')
  @FailsWith('config_not_found', 'state_conflict')
  request(
    @Actor() actor: ActingCaller,
    @Param('runtime') runtime: string,
    @Param('action') action: string,
    @Body() dto: RequestActivityDto,
  ): Promise<Written<AcceptedOperationView>> {
    return this.activities.request(actor, runtime, action, dto);
  }
}
